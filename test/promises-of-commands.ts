import { mutate, type ProductPromise, tests } from './promise.ts';

/** Promises about the commands that a person types. */
export const ofCommands: readonly ProductPromise[] = [
  {
    number: 68,
    text: 'A command starts only the servers that it names; one that hangs or has failed costs the others two seconds, once a minute.',
    status: 'held',
    tests: tests('touched-servers'),
    mutations: [
      mutate('named?.includes(name) !== false', 'name.length >= 0', 'touched-servers'),
      mutate(
        'if (kept === undefined || (kept.waited ?? patience) < patience)',
        'if (patience > 0)',
        'touched-servers',
      ),
    ],
  },
  {
    number: 69,
    text: 'The first signal ends a command within two seconds, but not before the outcome of a call that is being written. Calls of a gateway over HTTP have five seconds more.',
    status: 'held',
    tests: tests('signals', 'run-unwritten', 'serve-stop'),
    mutations: [
      mutate('setTimeout(end, patience, code, false).unref();', '', 'signals'),
      mutate(
        'if (!unwritten.hasOutcome) process.exit(code);',
        'process.exit(code);',
        'run-unwritten',
      ),
      mutate('{ isOutcome: running.isAny }', '{}', 'run-unwritten'),
    ],
  },
];
