import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type Fault, startOAuthServer } from '../../test/login/oauth-server.test-support.ts';
import {
  accept,
  assertNoSecret,
  connect,
  entryOf,
  filesIn,
  loginFolder,
  NAME,
  storeOf,
} from '../../test/login/session.test-support.ts';
import type { OAuthEntry } from '../config/config.ts';
import { loginNeeded } from './login.ts';
import { logout } from './logout.ts';

const limited = { timeout: 30_000 };
const SECRET = 'app-secret-5f0c2b9e';

const registered: Partial<OAuthEntry> = { clientId: 'app', clientSecret: SECRET };

/** What the server does when tokens are revoked. */
const ways: readonly {
  readonly name: string;
  readonly revokes?: boolean;
  readonly fault?: Fault;
  readonly oauth?: Partial<OAuthEntry>;
  readonly revoked: boolean | RegExp;
}[] = [
  { name: 'it revokes them', revoked: true },
  { name: 'it revokes those of a client with a secret', oauth: registered, revoked: true },
  { name: 'it has no revocation', revokes: false, revoked: false },
  { name: 'it refuses', fault: { status: 503, body: '{request}' }, revoked: /^HTTP 503$/ },
  { name: 'it does not answer', fault: 'hang', revoked: /did not answer within 0\.1 s/ },
];

describe('logout', () => {
  for (const { name, revokes = true, fault, oauth, revoked } of ways) {
    test(name, limited, async (context) => {
      const clients = { app: { secret: SECRET } };
      const server = await startOAuthServer(context, { revokes, clients });
      const folder = await loginFolder(context);
      await accept(server, folder, { oauth });
      const entry = { ...entryOf(server.url, oauth), secrets: [SECRET] };
      const session = await connect(context, entry, { folder });
      if (fault !== undefined) server.faults.set('/revoke', fault);
      const options = { folder, ...(fault === 'hang' && { requestTimeout: 100 }) };
      const result = await logout(NAME, entry, options);
      assert.equal(result.isRemoved, true);
      if (revoked instanceof RegExp) assert.match(String(result.revoked), revoked);
      else assert.equal(result.revoked, revoked);
      assertNoSecret(server, result);
      assert.equal((await filesIn(folder)).size, 0);
      assert.equal(server.to('/revoke').length, revoked === true ? 2 : revoked === false ? 0 : 1);
      const before = server.to('/token').length;
      await assert.rejects(session.call({}), (error) => loginNeeded(NAME, error) !== undefined);
      assert.equal(server.to('/token').length, before);
      assert.deepEqual(await logout(NAME, entry, options), { isRemoved: false, revoked: false });
    });
  }

  test('a file that cannot be removed is named', limited, async (context) => {
    const server = await startOAuthServer(context);
    const folder = await loginFolder(context);
    await accept(server, folder);
    const { file } = storeOf(server, folder);
    await rm(file);
    // A folder in its place.
    await mkdir(join(file, 'full'), { recursive: true });
    await assert.rejects(logout(NAME, entryOf(server.url), { folder }), (error: Error) => {
      assert.match(error.message, /The login of vault cannot be removed/);
      assert.ok(error.message.includes(file));
      return true;
    });
  });

  test('a server without logins', limited, async () => {
    const entry = {
      ...entryOf('http://127.0.0.1:9/mcp'),
      headers: new Map([['Authorization', 'x']]),
    };
    await assert.rejects(logout(NAME, entry), { code: 'invalid-option' });
  });
});
