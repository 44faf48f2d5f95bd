import { cli, type ProductPromise } from './promise.ts';

/** Promises about what configuration files may do. */
export const ofFiles: readonly ProductPromise[] = [
  {
    number: 76,
    text: 'What the files of a client restrict stays restricted, whoever reads them: a server or a tool that is off, and what Toolfold cannot keep or does not know, does not start.',
    status: 'held',
    tests: cli('restrictions'),
    mutations: [
      {
        file: 'src/mcp/clients/server-entries.ts',
        find: 'own.disabled === true || own.enabled === false',
        replace: 'own.disabled === true',
        tests: cli('restrictions'),
      },
    ],
  },
];
