import { mcp, mutateMcp, type ProductPromise } from './promise.ts';

/** Promises about connections to MCP servers. */
export const ofConnections: readonly ProductPromise[] = [
  {
    number: 53,
    text: 'With a cached list no server starts before it is needed; one that hangs or crashes does not hold up the others.',
    status: 'held',
    tests: mcp('pool/starting'),
    mutations: [
      mutateMcp(
        'pool/pool',
        'Math.abs(now - manifest.listedAt) > MAX_AGE',
        'Number.isFinite(now)',
        'pool/starting',
      ),
      mutateMcp(
        'pool/pool',
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
    tests: mcp('chaos/bad-servers', 'chaos/one-fault-web', 'chaos/one-fault-stdio'),
    mutations: [
      mutateMcp(
        'server/outcome',
        "if (refusal === undefined) return status === 503 ? 'lost' : 'answered';",
        "if (refusal === undefined) return 'unsent';",
        'chaos/one-fault-web',
      ),
      mutateMcp(
        'server/link',
        "this.#calls.has(live) && this.#host.entry.kind !== 'stdio'",
        'false',
        'chaos/one-fault-web',
      ),
      mutateMcp(
        'transport/messages/pending-requests',
        'if (!this.#isHandshake) return;',
        '',
        'chaos/one-fault-stdio',
      ),
      mutateMcp(
        'server/outcome',
        'return isTrusted && (readOnlyHint === true || idempotentHint === true);',
        'return readOnlyHint === true || idempotentHint === true;',
        'chaos/bad-servers',
      ),
      mutateMcp(
        'server/server-connection',
        'if (isRepeated || !work.isRepeatable())',
        'if (isRepeated)',
        'chaos/bad-servers',
      ),
    ],
  },
  {
    number: 55,
    text: 'A tool is called only while its server lists the definition that the caller saw.',
    status: 'held',
    tests: mcp('pool/starting', 'chaos/bad-servers', 'server/old-list'),
    mutations: [
      mutateMcp(
        'server/tool-list',
        'this.#live === live && performance.now() - this.#readAt >= MAX_AGE',
        'false',
        'server/old-list',
      ),
      mutateMcp(
        'server/tool-list',
        'canonicalJson(listed) !== canonicalJson(named)',
        'false',
        'pool/starting',
      ),
    ],
  },
  {
    number: 56,
    text: 'What a server asks reaches only the user of its call; where nobody can be asked it is declined.',
    status: 'held',
    tests: mcp('requests/addressee'),
    mutations: [
      mutateMcp(
        'requests/calls-in-flight',
        'if (calls.some((call) => call.owner !== last.owner))',
        'if (calls.length === 0)',
        'requests/addressee',
      ),
    ],
  },
  {
    number: 57,
    text: 'A login is used only for the server and the issuer that it was made with; a server that wants one never holds up a call.',
    status: 'held',
    tests: mcp('login/store/login-store', 'pool/logins'),
    mutations: [
      mutateMcp(
        'login/store/stored-login',
        'if (server !== owner.server || url !== owner.url) {',
        'if (server !== owner.server) {',
        'login/store/login-store',
      ),
    ],
  },
];
