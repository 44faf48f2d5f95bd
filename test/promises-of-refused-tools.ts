import { mutate, mutateSdk, type ProductPromise, sdk } from './promise.ts';

/** Promises about tools that a provider does not accept among the declared ones. */
export const ofRefusedTools: readonly ProductPromise[] = [
  {
    number: 77,
    text: 'A tool that breaks a known rule of the provider is never declared: it is called in another way or left out, and named; an own tool that has to be declared is an error before anything is sent.',
    status: 'held',
    tests: sdk('refused-tools'),
    mutations: [
      {
        ...mutate('epoch/epoch', 'else if (why !== undefined) refuse(entry, why);', ''),
        tests: sdk('refused-tools'),
      },
      {
        ...mutate('session/session', 'if (problem) throw problem;', ''),
        tests: sdk('refused-tools'),
      },
      mutateSdk('sessions', '...(accepts ? { accepts } : {}),', '', 'refused-tools'),
    ],
  },
];
