// test: slow
import assert from 'node:assert/strict';
import { copyFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { OAuthEntry } from '../../src/config/config.ts';
import { loginNeeded } from '../../src/login/login.ts';
import { type Fault, type OAuthServer, startOAuthServer } from './oauth-server.test-support.ts';
import {
  accept,
  assertNoSecret,
  connect,
  entryOf,
  loginFolder,
  NAME,
  recordConsole,
  storeOf,
} from './session.test-support.ts';

const limited = { timeout: 30_000 };
const LIFETIME = 3600;
const SECRET = 'app-secret-5f0c2b9e';

/** A clock that tests move. */
class Clock {
  time = 1_900_000_000_000;
  readonly now = (): number => this.time;
  forward(seconds: number): void {
    this.time += seconds * 1000;
  }
}

interface World {
  readonly server: OAuthServer;
  readonly folder: string;
  readonly clock: Clock;
}

/** What is stored when a session begins. */
const states: Readonly<Record<string, (world: World) => Promise<void> | void>> = {
  none: async ({ server, folder }) => {
    await storeOf(server, folder).remove();
  },
  valid: () => {},
  ending: ({ clock }) => clock.forward(LIFETIME - 59),
  ended: ({ clock }) => clock.forward(LIFETIME + 1),
  rejected: ({ server }) => server.expireAll(),
  'ended, without refresh token': async ({ server, folder, clock }) => {
    const store = storeOf(server, folder);
    const { tokens, ...login } = await store.read();
    const { refresh_token: _, ...rest } = tokens ?? assert.fail();
    await store.write({ ...login, tokens: rest });
    clock.forward(LIFETIME + 1);
  },
  damaged: ({ server, folder }) => writeFile(storeOf(server, folder).file, '{"version":1,'),
};

/** Tokens in more than 1 MB. */
const LONG = JSON.stringify({
  ...{ access_token: 'x', token_type: 'Bearer' },
  padding: 'x'.repeat(1_100_000),
});

/** What the authorization server answers to a request for tokens. `undefined`: as usual. */
const answers: Readonly<Record<string, Fault | undefined>> = {
  ok: undefined,
  invalid_grant: { status: 400, body: '{"error":"invalid_grant","error_description":"{request}"}' },
  'server error': { status: 500, body: 'request was {request}' },
  'not JSON': { status: 200, type: 'text/plain', body: 'access_token=abcdefgh&{request}' },
  'not tokens': { status: 200, body: '{"access_token":7,"was":"{request}"}' },
  'too long': { status: 200, body: LONG },
  'no answer': 'hang',
};

const grants: Readonly<Record<OAuthEntry['grant'], Partial<OAuthEntry>>> = {
  'authorization-code': {},
  'client-credentials': { grant: 'client-credentials', clientId: 'app', clientSecret: SECRET },
};

type Outcome = 'works' | 'needs a login' | 'fails';

/** What the call must do, and how many requests for tokens it may take. */
function expected(grant: string, state: string, answer: string): readonly [Outcome, number] {
  if (state === 'valid') return ['works', 0];
  if (grant === 'client-credentials') {
    if (answer === 'ok') return ['works', 1];
    // A token that has not ended is used on.
    if (state === 'ending') return ['works', 1];
    // Before the end of a token it is requested once, and once more after the server refused it.
    return ['fails', state === 'ended' || state === 'ended, without refresh token' ? 2 : 1];
  }
  if (!['ending', 'ended', 'rejected'].includes(state)) return ['needs a login', 0];
  if (answer === 'ok') return ['works', 1];
  if (answer === 'invalid_grant') return ['needs a login', 1];
  if (state === 'ending') return ['works', 1];
  return ['fails', state === 'ended' ? 2 : 1];
}

for (const [grant, oauth] of Object.entries(grants)) {
  describe(`a call with the grant ${grant}`, () => {
    for (const state of Object.keys(states)) {
      for (const [answer, fault] of Object.entries(answers)) {
        const [outcome, tokenRequests] = expected(grant, state, answer);
        test(`stored: ${state}; answer: ${answer} -> ${outcome}`, limited, async (context) => {
          const lines = recordConsole(context);
          const clock = new Clock();
          const clients = { app: { secret: SECRET } };
          const { now } = clock;
          const server = await startOAuthServer(context, { now, lifetime: LIFETIME, clients });
          const folder = await loginFolder(context);
          await accept(server, folder, { now, oauth });
          const entry = { ...entryOf(server.url, oauth), secrets: [SECRET] };
          await states[state]?.({ server, folder, clock });
          if (fault !== undefined) server.faults.set('/token', fault);
          const before = server.to('/token').length;
          const warnings: string[] = [];
          const options = {
            ...{ folder, now, onWarning: (text: string) => void warnings.push(text) },
            ...(answer === 'no answer' && { requestTimeout: 100 }),
          };
          const error = await connect(context, entry, options)
            .then((session) => session.call({ key: 1 }))
            .then(
              () => undefined,
              (reason: unknown) => reason,
            );
          const needed = loginNeeded(NAME, error);
          const found = error === undefined ? 'works' : needed ? 'needs a login' : 'fails';
          assert.equal(found, outcome, String(error));
          assert.deepEqual(server.effects, outcome === 'works' ? [{ key: 1 }] : []);
          assert.equal(server.to('/token').length - before, tokenRequests);
          if (needed) assert.equal(needed.remedy, 'Run: toolfold login vault');
          assert.equal(warnings.length > 0, state === 'damaged');
          assertNoSecret(server, error, needed, lines, warnings);
          assert.deepEqual(lines, []);
        });
      }
    }
  });
}

test(
  'a token that ends in mid-session is refreshed, and the call has one effect',
  limited,
  async (context) => {
    const clock = new Clock();
    const { now } = clock;
    const server = await startOAuthServer(context, { now, lifetime: LIFETIME });
    const folder = await loginFolder(context);
    await accept(server, folder, { now });
    const session = await connect(context, entryOf(server.url), { folder, now });
    await session.call({ key: 1 });
    server.expireAll();
    await session.call({ key: 2 });
    clock.forward(LIFETIME - 30);
    await session.call({ key: 3 });
    assert.deepEqual(server.effects, [{ key: 1 }, { key: 2 }, { key: 3 }]);
    assert.equal(server.to('/token').length, 3);
  },
);

test('many calls whose token is refused share one refresh', limited, async (context) => {
  const server = await startOAuthServer(context);
  const folder = await loginFolder(context);
  await accept(server, folder);
  const session = await connect(context, entryOf(server.url), { folder });
  server.expireAll();
  const keys = Array.from({ length: 20 }, (_, key) => ({ key }));
  await Promise.all(keys.map((input) => session.call(input)));
  assert.equal(server.effects.length, keys.length);
  assert.equal(server.to('/token').length, 2);
});

test(
  'two providers that refresh at once do not use a refresh token twice',
  limited,
  async (context) => {
    const clock = new Clock();
    const { now } = clock;
    const server = await startOAuthServer(context, { now, lifetime: LIFETIME });
    const folder = await loginFolder(context);
    await accept(server, folder, { now });
    const entry = entryOf(server.url);
    const options = { folder, now };
    const sessions = [
      await connect(context, entry, options),
      await connect(context, entry, options),
    ];
    for (const end of [() => server.expireAll(), () => clock.forward(LIFETIME + 1)]) {
      const before = server.to('/token').length;
      end();
      await Promise.all(sessions.map((session) => session.call({})));
      assert.equal(server.to('/token').length - before, 1);
    }
    assert.equal(server.effects.length, 4);
  },
);

test('a refresh by a process without the lock does not log out', limited, async (context) => {
  const server = await startOAuthServer(context, { detectsReuse: false });
  const folder = await loginFolder(context);
  await accept(server, folder);
  const store = storeOf(server, folder);
  const session = await connect(context, entryOf(server.url), { folder });
  server.expireAll();
  const old = await store.read();
  server.beforeTokens = async () => {
    server.beforeTokens = () => Promise.resolve();
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: old.tokens?.refresh_token ?? '',
      client_id: old.client?.client_id ?? '',
    });
    const response = await fetch(`${server.issuer}/token`, { method: 'POST', body });
    const tokens = { ...(await response.json()), issuer: server.issuer };
    await store.write({ ...old, tokens, receivedAt: Date.now() });
  };
  await session.call({ key: 1 });
  assert.deepEqual(server.effects, [{ key: 1 }]);
});

test(
  'after a logout of the server every call needs a login, without further requests',
  limited,
  async (context) => {
    const server = await startOAuthServer(context);
    const folder = await loginFolder(context);
    await accept(server, folder);
    const session = await connect(context, entryOf(server.url), { folder });
    server.revokeAll();
    for (const _ of [1, 2, 3]) {
      await assert.rejects(session.call({}), (error) => loginNeeded(NAME, error) !== undefined);
    }
    assert.equal(server.to('/token').length, 2);
    await accept(server, folder);
    await session.call({ key: 1 });
    assert.deepEqual(server.effects, [{ key: 1 }]);
  },
);

test('a login that cannot be saved works for this process', limited, async (context) => {
  const server = await startOAuthServer(context);
  const folder = await loginFolder(context);
  // A file where the folder should be: it cannot be written, also not by an administrator.
  await writeFile(`${folder}/file`, '');
  const warnings: string[] = [];
  const options = {
    folder: `${folder}/file/logins`,
    onWarning: (text: string) => void warnings.push(text),
  };
  const { isSaved } = await accept(server, options.folder, options);
  assert.equal(isSaved, false);
  const session = await connect(context, entryOf(server.url), options);
  server.expireAll();
  await session.call({ key: 1 });
  assert.deepEqual(server.effects, [{ key: 1 }]);
  assert.match(warnings.join(), /The login of vault could not be saved and ends with this process/);
  assertNoSecret(server, warnings);
});

test('headers of the entry are not sent to the authorization server', limited, async (context) => {
  const server = await startOAuthServer(context);
  const folder = await loginFolder(context);
  const entry = { ...entryOf(server.url), headers: new Map([['x-key', 'k']]) };
  await accept(server, folder);
  const session = await connect(context, entry, { folder });
  server.expireAll();
  await session.call({});
  for (const { on, headers } of server.requests.slice(-4)) {
    assert.equal(headers['x-key'], on === 'mcp' ? 'k' : undefined);
  }
});

test('a login of another process holds for the next call at once', limited, async (context) => {
  const server = await startOAuthServer(context, { listsWithoutLogin: true });
  const [folder, elsewhere] = [await loginFolder(context), await loginFolder(context)];
  await accept(server, elsewhere);
  const session = await connect(context, entryOf(server.url), { folder });
  await assert.rejects(session.call({}), { name: 'UnauthorizedError' });
  // As another process would: this one does not see the change.
  const [name = ''] = await readdir(elsewhere);
  await copyFile(join(elsewhere, name), join(folder, name));
  await session.call({});
  assert.equal(server.effects.length, 1);
});

test('a call that needs another scope says which', limited, async (context) => {
  const server = await startOAuthServer(context);
  const folder = await loginFolder(context);
  await accept(server, folder);
  const session = await connect(context, entryOf(server.url), { folder });
  server.faults.set('/mcp', {
    status: 403,
    headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="admin:write"' },
    body: '{request}',
  });
  const error = await session.call({}).catch((reason: unknown) => reason);
  assert.deepEqual(loginNeeded(NAME, error), {
    reason: 'its login does not have the scope admin:write',
    remedy: 'Run: toolfold login vault',
  });
});

test('a server that repeats the token in its errors does not show it', limited, async (context) => {
  const server = await startOAuthServer(context);
  const folder = await loginFolder(context);
  await accept(server, folder);
  const session = await connect(context, entryOf(server.url), { folder });
  const result = { isError: true, content: [{ type: 'text', text: 'wrong: {authorization}' }] };
  const faults: readonly Fault[] = [
    { status: 500, body: 'wrong: {authorization}' },
    { status: 404, type: 'text/plain', body: 'wrong: {authorization}' },
    { status: 200, body: JSON.stringify({ jsonrpc: '2.0', id: 1, result }) },
  ];
  for (const fault of faults) {
    server.faults.set('/mcp', fault);
    const shown = await session.call({}).catch((reason: unknown) => reason);
    assertNoSecret(server, shown);
  }
});
