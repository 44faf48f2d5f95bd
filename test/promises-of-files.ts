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
        file: 'packages/mcp/src/mcp/clients/server-entries.ts',
        find: 'own.disabled === true || own.enabled === false',
        replace: 'own.disabled === true',
        tests: cli('restrictions'),
      },
    ],
  },
];

/** What a project's file may do before anybody has said yes. */
export const ofTrust: readonly ProductPromise[] = [
  {
    number: 78,
    text: "A project's file starts no program, contacts no address and fills in no variable before the user has said yes to exactly these entries; its block only restricts until then.",
    status: 'held',
    tests: [
      ...cli('trust/trust'),
      'packages/toolfold/src/acp/acp-trust.test.ts',
      'packages/toolfold/src/acp/sessions/offer-trust.test.ts',
    ],
    mutations: [
      {
        file: 'packages/mcp/src/mcp/config/find-configs.ts',
        find: '.filter(({ place }) => !isOfUser(place))',
        replace: '.filter(() => false)',
        tests: cli('trust/trust'),
      },
      {
        file: 'packages/toolfold/src/app/servers/trust.ts',
        find: 'const isAgreed = open.length > 0 && confirm && (await confirm(trustQuestion(open, real)));',
        replace: 'const isAgreed = open.length > 0;',
        tests: cli('trust/trust'),
      },
      {
        file: 'packages/toolfold/src/acp/sessions/offer-trust.ts',
        find: "if (choice === 'always') keepTrust",
        replace: 'keepTrust',
        tests: ['packages/toolfold/src/acp/sessions/offer-trust.test.ts'],
      },
    ],
  },
];
