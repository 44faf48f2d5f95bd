import { type ProductPromise, tests } from './promise.ts';

/** Promises about what configuration files may do. */
export const ofFiles: readonly ProductPromise[] = [
  {
    number: 76,
    text: 'What the files of a client restrict stays restricted, whoever reads them: a server or a tool that is off, and what Toolfold cannot keep or does not know, does not start.',
    status: 'held',
    tests: tests('cli/restrictions'),
    mutations: [
      {
        file: 'packages/mcp/src/clients/server-entries.ts',
        find: 'own.disabled === true || own.enabled === false',
        replace: 'own.disabled === true',
        tests: tests('cli/restrictions'),
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
    tests: [...tests('cli-servers/trust'), ...tests('acp-trust'), ...tests('offer-trust')],
    mutations: [
      {
        file: 'packages/mcp/src/config/find-configs.ts',
        find: '.filter(({ place }) => !isOfUser(place))',
        replace: '.filter(() => false)',
        tests: tests('cli-servers/trust'),
      },
      {
        file: 'packages/toolfold/src/servers/trust.ts',
        find: 'const isAgreed = open.length > 0 && confirm && (await confirm(trustQuestion(open, real)));',
        replace: 'const isAgreed = open.length > 0;',
        tests: tests('cli-servers/trust'),
      },
      {
        file: 'packages/toolfold/src/acp/client-servers.ts',
        find: "if (choice === 'always') keepTrust",
        replace: 'keepTrust',
        tests: [...tests('offer-trust')],
      },
    ],
  },
];
