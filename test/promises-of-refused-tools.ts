import { mutate, type ProductPromise, tests } from './promise.ts';

/** Promises about tools that a provider does not accept among the declared ones. */
export const ofRefusedTools: readonly ProductPromise[] = [
  {
    number: 77,
    text: 'A tool that breaks a known rule of the provider is never declared: it is called in another way or left out, and named; an own tool that has to be declared is an error before anything is sent.',
    status: 'held',
    tests: tests('tools/refused-tools'),
    mutations: [
      {
        ...mutate('else if (why !== undefined) refuse(entry, why);', ''),
        tests: tests('tools/refused-tools'),
      },
      {
        ...mutate('if (problem) throw problem;', ''),
        tests: tests('tools/refused-tools'),
      },
      mutate('...(accepts ? { accepts } : {}),', '', 'tools/refused-tools'),
    ],
  },
];
