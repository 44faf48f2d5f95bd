import { mutate, type ProductPromise, tests } from './promise.ts';

/** Promises about the tools that an app defines itself. */
export const ofOwnTools: readonly ProductPromise[] = [
  {
    number: 61,
    text: "An app's own tools are deferred under their own names by a strategy that the app names, and by `auto` where they are not small; a mark, a rule, or a property that only declared tools can have decides otherwise.",
    status: 'held',
    tests: [...tests('test/own-tools'), ...tests('tools/own-tools')],
    mutations: [
      mutate('tokens < DEFERRAL_THRESHOLD;', 'true;', 'test/own-tools'),
      mutate("by === 'default' && ownTools === 'deferred'", 'false', 'test/own-tools'),
      mutate("exposure: deferLoading ? 'deferred' : 'inline'", '', 'tools/own-tools'),
    ],
  },
  {
    number: 62,
    text: 'A load, a search or a description costs the app no step: it is answered inside the model call, and every later request holds the same bytes as if it had been a step.',
    status: 'held',
    tests: [
      ...tests('steps', 'rounds/active', 'same-bytes', 'same-bytes-native'),
      ...tests('rounds/clients', 'odd-parts', 'failures', 'loop'),
    ],
    mutations: [
      mutate('inside.count > 0 &&', 'false &&', 'steps'),
      mutate('this.rounds < MAX_ROUNDS', 'this.rounds < 9', 'loop'),
      mutate('used.has(id) || this.#isUsed(id)', 'false', 'odd-parts'),
      mutate('if (call.rounds > 0) failed.set', 'if (call.rounds > 9) failed.set', 'failures'),
    ],
  },
  {
    number: 63,
    text: 'A setting that has no effect is told to the developer once, with the remedy, and only when it is known to have none.',
    status: 'held',
    tests: tests('ignored-settings', 'warnings', 'approval-names'),
    mutations: [
      mutate('if (mayCome) return true;', '', 'ignored-settings'),
      mutate(
        'if (!isModelUsed() || !(hasOtherCallers || isFromModel(toolCallId)))',
        'if (!isModelUsed())',
        'warnings',
      ),
    ],
  },
];
