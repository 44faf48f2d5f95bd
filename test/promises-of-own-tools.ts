import { core, mutate, mutateSdk, type ProductPromise, sdk } from './promise.ts';

/** Promises about the tools that an app defines itself. */
export const ofOwnTools: readonly ProductPromise[] = [
  {
    number: 61,
    text: "An app's own tools are deferred under their own names by a strategy that the app names, and by `auto` where they are not small; a mark, a rule, or a property that only declared tools can have decides otherwise.",
    status: 'held',
    tests: [...core('own-tools'), ...sdk('own-tools')],
    mutations: [
      mutate('epoch/auto', 'tokens < DEFERRAL_THRESHOLD;', 'true;', 'own-tools'),
      mutate('epoch/epoch', "by === 'default' && ownTools === 'deferred'", 'false', 'own-tools'),
      mutateSdk(
        'tool-set/own-marks',
        "exposure: deferLoading ? 'deferred' : 'inline'",
        '',
        'own-tools',
      ),
    ],
  },
  {
    number: 62,
    text: 'A load, a search or a description costs the app no step: it is answered inside the model call, and every later request holds the same bytes as if it had been a step.',
    status: 'held',
    tests: [
      ...sdk('rounds/steps', 'rounds/active', 'rounds/same-bytes', 'rounds/same-bytes-native'),
      ...sdk('rounds/clients', 'rounds/odd-parts', 'rounds/failures', 'rounds/loop'),
    ],
    mutations: [
      mutateSdk('rounds/model-call', 'inside.count > 0 &&', 'false &&', 'rounds/steps'),
      mutateSdk('rounds/model-call', 'this.rounds < MAX_ROUNDS', 'this.rounds < 9', 'rounds/loop'),
      mutateSdk(
        'response/call-ids',
        'used.has(id) || this.#isUsed(id)',
        'false',
        'rounds/odd-parts',
      ),
      mutateSdk(
        'middleware',
        'if (call.rounds > 0) failed.set',
        'if (call.rounds > 9) failed.set',
        'rounds/failures',
      ),
    ],
  },
  {
    number: 63,
    text: 'A setting that has no effect is told to the developer once, with the remedy, and only when it is known to have none.',
    status: 'held',
    tests: [...core('session/ignored-settings'), ...sdk('warnings/warnings')],
    mutations: [
      mutate(
        'session/ignored-settings',
        'if (mayCome) return true;',
        '',
        'session/ignored-settings',
      ),
      mutateSdk(
        'warnings/field-warnings',
        'if (!isModelUsed())',
        'if (false)',
        'warnings/warnings',
      ),
    ],
  },
];
