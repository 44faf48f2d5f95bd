import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import {
  browse,
  type OAuthServer,
  type OAuthServerOptions,
  startOAuthServer,
} from '../../test/login/oauth-server.test-support.ts';
import {
  accept,
  assertNoSecret,
  connect,
  entryOf,
  filesIn,
  loginFolder,
  NAME,
  recordConsole,
  storeOf,
} from '../../test/login/session.test-support.ts';
import type { OAuthEntry, ServerEntry } from '../config/config.ts';
import { type LoginOptions, type LoginResult, login } from './login.ts';

const limited = { timeout: 30_000 };
const SECRET = 'app-secret-5f0c2b9e';
const DOCUMENT = 'https://toolfold.example.com/client.json';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** One way to log in, and how it ends. */
interface Way {
  readonly name: string;
  readonly server?: OAuthServerOptions;
  readonly oauth?: Partial<OAuthEntry>;
  readonly prepare?: (server: OAuthServer) => void;
  readonly options?: Partial<LoginOptions>;
  /** What the person does with the address. Default: accepts. */
  readonly open?: (url: string, stop: AbortController) => Promise<unknown> | undefined;
  /** The kind of the result, or the text of the error. */
  readonly ends: LoginResult['kind'] | RegExp;
  /** Requests to register a client. Default: any number. */
  readonly registrations?: number;
}

const clients = { app: { secret: SECRET }, public: {}, signer: {} };
const refused = '{"error":"invalid_client_metadata","error_description":"{request}"}';

/** Opens an address that is like the redirect but not the answer, then accepts. */
function afterWrong(
  wrong: (redirect: URL) => Promise<number>,
  status: number,
): (url: string) => Promise<unknown> {
  return async (url) => {
    const redirect = new URL(new URL(url).searchParams.get('redirect_uri') ?? '');
    assert.equal(await wrong(redirect), status);
    return browse(url);
  };
}

const statusOf = async (url: URL, headers?: Record<string, string>): Promise<number> =>
  (await browse(url.href, headers)).status;

const ways: readonly Way[] = [
  { name: 'a client that registers itself', ends: 'logged-in', registrations: 1 },
  { name: 'no issuer in the answer', server: { sendsIssuer: false }, ends: 'logged-in' },
  { name: 'scopes of the challenge', server: { scope: 'read write' }, ends: 'logged-in' },
  {
    name: 'a registered client with a secret',
    server: { clients, registers: false },
    oauth: { clientId: 'app', clientSecret: SECRET },
    ends: 'logged-in',
    registrations: 0,
  },
  {
    name: 'a registered client without a secret',
    server: { clients },
    oauth: { clientId: 'public', scopes: ['read'] },
    ends: 'logged-in',
    registrations: 0,
  },
  {
    name: 'the address of a metadata document',
    server: { acceptsDocuments: true },
    oauth: { clientMetadataUrl: DOCUMENT },
    ends: 'logged-in',
    registrations: 0,
  },
  {
    name: 'a metadata document that the server does not accept',
    oauth: { clientMetadataUrl: DOCUMENT },
    ends: 'logged-in',
    registrations: 1,
  },
  {
    name: 'the credentials of the program',
    server: { clients },
    oauth: { grant: 'client-credentials', clientId: 'app', clientSecret: SECRET },
    ends: 'logged-in',
    registrations: 0,
  },
  {
    name: 'a private key',
    server: { clients },
    oauth: {
      ...{ grant: 'client-credentials', clientId: 'signer' },
      ...{ privateKey: KEY, algorithm: 'ES256' },
    },
    ends: 'logged-in',
  },
  { name: 'a server without logins', server: { hasLogin: false }, ends: 'not-needed' },
  { name: 'a login for calls only', server: { listsWithoutLogin: true }, ends: 'logged-in' },
  { name: 'tokens without an end', server: { lifetime: 0 }, ends: 'logged-in' },
  {
    name: 'another state first',
    open: afterWrong((url) => statusOf(new URL(`${url}?code=x&state=other`)), 400),
    ends: 'logged-in',
  },
  {
    name: 'no state first',
    open: afterWrong((url) => statusOf(new URL(`${url}?code=x`)), 400),
    ends: 'logged-in',
  },
  {
    name: 'another path first',
    open: afterWrong((url) => statusOf(new URL('/other?code=x', url)), 404),
    ends: 'logged-in',
  },
  {
    name: 'another host name first',
    open: afterWrong((url) => statusOf(url, { host: 'example.com' }), 404),
    ends: 'logged-in',
  },
  {
    name: 'a script of another origin first',
    open: afterWrong((url) => statusOf(url, { origin: 'https://example.com' }), 403),
    ends: 'logged-in',
  },
  {
    name: 'an image of another page first',
    open: afterWrong((url) => statusOf(url, { 'sec-fetch-mode': 'no-cors' }), 403),
    ends: 'logged-in',
  },
  {
    name: 'the answer comes with another state',
    prepare: (server) => {
      server.changeAnswer = (answer) => answer.set('state', 'other');
    },
    options: { timeout: 300 },
    ends: /was not finished within 0\.3 s\. Start it again/,
  },
  {
    name: 'nobody opens the address',
    open: async () => {},
    options: { timeout: 100.5 },
    ends: /0\.1005 s/,
  },
  {
    name: 'the program stops',
    open: async (_, stop) => stop.abort(new Error('stopped by the test')),
    ends: /^stopped by the test$/,
  },
  {
    name: 'the address cannot be shown',
    open: () => {
      throw new Error('no terminal');
    },
    ends: /no terminal/,
  },
  {
    name: 'the answer comes from another issuer',
    prepare: (server) => {
      server.changeAnswer = (answer) => answer.set('iss', 'https://evil.example.com');
    },
    ends: /^(?!.*evil).*answer of the browser came from another authorization server/,
  },
  {
    name: 'the answer comes without the issuer',
    prepare: (server) => {
      server.changeAnswer = (answer) => answer.delete('iss');
    },
    ends: /answer of the browser came from another authorization server/,
  },
  {
    name: 'the person refuses',
    prepare: (server) => {
      server.changeAnswer = (answer) => {
        answer.delete('code');
        answer.set('error', 'access_denied');
        answer.set('error_description', 'the user said no');
      };
    },
    ends: /access_denied: the user said no/,
  },
  {
    name: 'the code is not valid',
    prepare: (server) => {
      server.changeAnswer = (answer) => answer.set('code', 'stolen-code-123');
    },
    ends: /HTTP 400, invalid_grant/,
  },
  {
    name: 'metadata of another issuer',
    prepare: (server) => {
      server.changeMetadata = (metadata) => {
        metadata.issuer = 'https://other.example.com';
      };
    },
    ends: /issuer/i,
  },
  {
    name: 'another issuer than the configured one',
    oauth: { issuer: 'https://other.example.com' },
    ends: /not the configured "oauth\.issuer"/,
  },
  {
    name: 'an address that starts a program',
    prepare: (server) => {
      server.changeMetadata = (metadata) => {
        metadata.authorization_endpoint = 'file:///bin/sh';
      };
    },
    ends: /failed/,
  },
  {
    name: 'an address without TLS on another machine',
    prepare: (server) => {
      server.changeMetadata = (metadata) => {
        metadata.authorization_endpoint = 'http://other.example.com/authorize';
      };
    },
    ends: /its authorization server has no https address/,
  },
  {
    name: 'a token endpoint without TLS on another machine',
    prepare: (server) => {
      server.changeMetadata = (metadata) => {
        metadata.token_endpoint = 'http://other.example.com/token';
      };
    },
    ends: /token endpoint/i,
  },
  ...[undefined, [], ['plain']].map((methods) => ({
    name: `PKCE methods: ${JSON.stringify(methods)}`,
    prepare: (server: OAuthServer) => {
      server.changeMetadata = (metadata) => {
        metadata.code_challenge_methods_supported = methods;
      };
    },
    ends: /does not say that it supports PKCE/,
    registrations: 0,
  })),
  {
    name: 'the credentials of the program need no PKCE',
    server: { clients },
    oauth: { grant: 'client-credentials', clientId: 'app', clientSecret: SECRET },
    prepare: (server) => {
      server.changeMetadata = (metadata) => {
        delete metadata.code_challenge_methods_supported;
      };
    },
    ends: 'logged-in',
  },
  ...['DPoP', 'mac', 'N_A', ''].map((type) => ({
    name: `a token of the type "${type}"`,
    prepare: (server: OAuthServer) =>
      server.faults.set('/token', {
        status: 200,
        body: JSON.stringify({ access_token: 'access-0123456789', token_type: type }),
      }),
    ends: /no bearer token/,
  })),
  {
    name: 'a token without a type',
    prepare: (server) =>
      server.faults.set('/token', {
        status: 200,
        body: JSON.stringify({ access_token: 'access-0123456789' }),
      }),
    ends: /failed: an answer of its authorization server is not as the protocol says \(missing or wrong: token_type\)\. Report/,
  },
  {
    name: 'no registration',
    server: { registers: false },
    ends: /add its "clientId" to "oauth"/,
  },
  {
    name: 'a refused registration',
    prepare: (server) => server.faults.set('/register', { status: 400, body: refused }),
    ends: /HTTP 400|invalid_client_metadata/,
  },
  {
    name: 'a wrong secret',
    server: { clients },
    oauth: { grant: 'client-credentials', clientId: 'app', clientSecret: 'wrong-secret-77' },
    ends: /HTTP 401, invalid_client/,
  },
  {
    name: 'a code that is refused with an echo',
    prepare: (server) => server.faults.set('/token', { status: 400, body: refused }),
    ends: /HTTP 400/,
  },
  {
    name: 'tokens that are not JSON',
    prepare: (server) =>
      server.faults.set('/token', {
        status: 200,
        type: 'text/plain',
        body: 'access_token={request}',
      }),
    ends: /not a JSON object/,
  },
  {
    name: 'no answer from the token endpoint',
    prepare: (server) => server.faults.set('/token', 'hang'),
    options: { requestTimeout: 100.5 },
    ends: /did not answer within 0\.1005 s/,
  },
  {
    name: 'tokens that the server does not accept',
    server: { lifetime: -1 },
    ends: /the server refuses the new token/,
  },
  {
    name: 'no MCP server at the address',
    prepare: (server) => server.faults.set('/mcp', { status: 404, body: '' }),
    ends: /no MCP server at its url/,
  },
];

describe('login', () => {
  for (const { name, server: options, oauth, prepare, open, ends, registrations, ...way } of ways) {
    test(name, limited, async (context) => {
      const lines = recordConsole(context);
      const server = await startOAuthServer(context, options);
      const folder = await loginFolder(context);
      prepare?.(server);
      const stop = new AbortController();
      const pages: Promise<unknown>[] = [];
      const urls: string[] = [];
      const onUrl = (url: string): void => {
        urls.push(url);
        const page = open === undefined ? browse(url) : open(url, stop);
        // The browser may lose its connection when the login ends.
        if (page !== undefined) pages.push(page.catch((error) => error));
      };
      const entry = { ...entryOf(server.url, oauth), secrets: [SECRET, KEY, 'wrong-secret-77'] };
      const limits = { signal: stop.signal, timeout: 10_000, ...way.options };
      const login_ = login(NAME, entry, { folder, onUrl, ...limits });
      const result = await login_.catch((error: unknown) => error);
      if (typeof ends === 'string') {
        assert.ok(!(result instanceof Error), String(result));
        assert.equal((result as LoginResult).kind, ends);
        assert.equal((result as LoginResult).tools, 2);
      } else {
        assert.ok(result instanceof Error, JSON.stringify(result));
        assert.match(result.message, ends);
      }
      for (const page of await Promise.all(pages)) {
        assert.ok(!(page instanceof assert.AssertionError), String(page));
      }
      for (const url of urls) await assertClosed(url);
      if (registrations !== undefined) assert.equal(server.to('/register').length, registrations);
      assertNoSecret(server, result, lines);
      assert.deepEqual(lines, []);
      const texts = [...(await filesIn(folder)).values()].join();
      assert.ok(!texts.includes(SECRET), 'the secret of the configuration is in the file');
      assert.ok(!texts.includes('BEGIN PRIVATE KEY'));
    });
  }
});

/** Checks that nobody listens for the answer any more. */
async function assertClosed(url: string): Promise<void> {
  const redirect = new URL(url).searchParams.get('redirect_uri') ?? '';
  await assert.rejects(browse(redirect), { code: 'ECONNREFUSED' });
}

test('servers without logins', limited, async () => {
  const http = entryOf('http://127.0.0.1:9/mcp');
  const entries: [ServerEntry, RegExp][] = [
    [{ ...http, headers: new Map([['authorization', 'x']]) }, /has an "Authorization" header/],
    [
      { kind: 'stdio', command: 'x', args: [], env: new Map(), secrets: [] },
      /is not reached by URL/,
    ],
    [{ kind: 'unusable', reason: 'its url is wrong', remedy: 'Correct it.' }, /its url is wrong/],
  ];
  for (const [entry, expected] of entries) {
    await assert.rejects(login(NAME, entry, { onUrl: () => {} }), (error) => {
      assert.ok(error instanceof ToolfoldError);
      assert.equal(error.code, 'invalid-option');
      assert.match(error.message, expected);
      return true;
    });
  }
});

test('a second login uses the registered client again', limited, async (context) => {
  const server = await startOAuthServer(context);
  const folder = await loginFolder(context);
  await accept(server, folder);
  const first = await storeOf(server, folder).read();
  await accept(server, folder);
  const second = await storeOf(server, folder).read();
  assert.equal(server.to('/register').length, 1);
  assert.equal(second.client?.client_id, first.client?.client_id);
  assert.notEqual(second.tokens?.access_token, first.tokens?.access_token);
});

test('two logins at once do not disturb each other', limited, async (context) => {
  const server = await startOAuthServer(context);
  const folder = await loginFolder(context);
  await accept(server, folder);
  const results = await Promise.all([accept(server, folder), accept(server, folder)]);
  assert.deepEqual(
    results.map(({ kind }) => kind),
    ['logged-in', 'logged-in'],
  );
  assert.equal(server.to('/register').length, 2);
});

test('a login that fails keeps the earlier login', limited, async (context) => {
  const server = await startOAuthServer(context);
  const folder = await loginFolder(context);
  await accept(server, folder);
  const before = await filesIn(folder);
  server.changeAnswer = (answer) => answer.set('code', 'wrong');
  await assert.rejects(accept(server, folder));
  await assert.rejects(accept(server, folder, { onUrl: () => {}, timeout: 100 }));
  assert.deepEqual(await filesIn(folder), before);
  await callOnce(context, server, folder);
});

test(
  'the port of the configuration is used, and a port in use is named',
  limited,
  async (context) => {
    const server = await startOAuthServer(context, { clients });
    const folder = await loginFolder(context);
    const redirectPort = Number(new URL(server.url).port);
    const oauth = { clientId: 'public', redirectPort };
    await assert.rejects(
      accept(server, folder, { oauth }),
      /port .* cannot be used \(EADDRINUSE\)/,
    );
  },
);

async function callOnce(context: TestContext, server: OAuthServer, folder: string): Promise<void> {
  const session = await connect(context, entryOf(server.url), { folder });
  await session.call({});
  assert.equal(server.effects.length, 1);
}
