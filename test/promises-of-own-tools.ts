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
];
