import { mutate, type ProductPromise, tests } from './promise.ts';

/** Promises about messages of the user for a running turn. */
export const ofSteering: readonly ProductPromise[] = [
  {
    number: 79,
    text: 'A message of the user for a running turn is in its next request, behind the results, exactly once, also if another process posts it; calls that have not begun do not run, and the end of the process loses nothing.',
    status: 'held',
    tests: tests('at-each-point', 'in-between', 'kill-messages', 'kill-smoke'),
    mutations: [
      mutate(
        'let isAny = false;\n  await raceAbort(log.look(), signal);',
        'let isAny = false;',
        'at-each-point',
      ),
      mutate("return isKnown ? [] : [['user'", "return [['user'", 'in-between'),
      mutate("isEnd || (this.isAccepted && when === 'now');", 'isEnd;', 'at-each-point'),
      mutate('if (isKnown || !isOfUser) void', 'void', 'in-between'),
      mutate(
        '!askedCalls.has(toolCallId) && !runs.has(toolCallId)',
        '!askedCalls.has(toolCallId)',
        'in-between',
      ),
      mutate('if (denied !== undefined && thrown === undefined)', 'if (!runs)', 'in-between'),
      mutate('fixed.steering.isDue &&', 'false &&', 'at-each-point'),
    ],
  },
];
