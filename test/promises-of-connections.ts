import { mutate, type ProductPromise, tests } from './promise.ts';

/** Promises about connections to MCP servers. */
export const ofConnections: readonly ProductPromise[] = [
  {
    number: 53,
    text: 'With a cached list no server starts before it is needed; one that hangs or crashes does not hold up the others.',
    status: 'held',
    tests: tests('pool/starting'),
    mutations: [
      mutate(
        'Math.abs(now - manifest.listedAt) > MAX_AGE',
        'Number.isFinite(now)',
        'pool/starting',
      ),
      mutate(
        "({ state }) => state.kind === 'connecting' || state.kind === 'idle'",
        '() => false',
        'pool/starting',
      ),
    ],
  },
  {
    number: 54,
    text: 'A call whose outcome is unknown ends with an answer that says so, and is repeated only where a trusted server calls this safe.',
    status: 'held',
    tests: tests('bad-servers', 'one-fault-web', 'one-fault-stdio'),
    mutations: [
      mutate(
        "if (refusal === undefined) return status === 503 ? 'lost' : 'answered';",
        "if (refusal === undefined) return 'unsent';",
        'one-fault-web',
      ),
      mutate(
        "this.#calls.has(live) && this.#host.entry.kind !== 'stdio'",
        'false',
        'one-fault-web',
      ),
      mutate('if (!this.#isHandshake) return;', '', 'one-fault-stdio'),
      mutate(
        'return isTrusted && (readOnlyHint === true || idempotentHint === true);',
        'return readOnlyHint === true || idempotentHint === true;',
        'bad-servers',
      ),
      mutate('if (isRepeated || !work.isRepeatable())', 'if (isRepeated)', 'bad-servers'),
    ],
  },
  {
    number: 55,
    text: 'A tool is called only while its server lists the definition that the caller saw.',
    status: 'held',
    tests: tests('pool/starting', 'bad-servers', 'old-list'),
    mutations: [
      mutate(
        'this.#live === live && performance.now() - this.#readAt >= MAX_AGE',
        'false',
        'old-list',
      ),
      mutate('canonicalJson(listed) !== canonicalJson(named)', 'false', 'pool/starting'),
    ],
  },
  {
    number: 56,
    text: 'What a server asks reaches only the user of its call; where nobody can be asked it is declined.',
    status: 'held',
    tests: tests('addressee'),
    mutations: [
      mutate(
        'if (calls.some((call) => call.owner !== last.owner))',
        'if (calls.length === 0)',
        'addressee',
      ),
    ],
  },
  {
    number: 57,
    text: 'A login is used only for the server and the issuer that it was made with; a server that wants one never holds up a call.',
    status: 'held',
    tests: tests('login-store', 'pool/logins'),
    mutations: [
      mutate(
        'if (server !== owner.server || url !== owner.url) {',
        'if (server !== owner.server) {',
        'login-store',
      ),
    ],
  },
];
