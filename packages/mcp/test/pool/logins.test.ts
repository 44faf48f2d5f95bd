import assert from 'node:assert/strict';
import { test } from 'node:test';
import { login } from '../../src/login/login.ts';
import { createServerPool } from '../../src/pool/pool.ts';
import { browse, startOAuthServer } from '../login/oauth-server.test-support.ts';
import { entryOf, loginFolder, NAME } from '../login/session.test-support.ts';

const limited = { timeout: 30_000 };

test(
  'promise 57: a server that wants a login says so, and works after the login',
  limited,
  async (context) => {
    const server = await startOAuthServer(context);
    const folder = await loginFolder(context);
    const entry = entryOf(server.url);
    const config = { servers: new Map([[NAME, entry]]), settings: undefined };
    await using pool = await createServerPool(config, { manifests: false, logins: { folder } });
    await pool.ready();
    const connection = pool.connection(NAME) ?? assert.fail();
    assert.deepEqual(connection.state, {
      kind: 'needs-auth',
      reason: 'it needs a login',
      remedy: `Run: toolfold login ${NAME}`,
    });
    assert.equal(pool.groups[0]?.unavailable?.reason, 'it needs a login');
    await assert.rejects(connection.callTool('put', {}), /it needs a login/);
    await login(NAME, entry, { folder, onUrl: (url) => void browse(url) });
    await connection.callTool('put', {});
    assert.equal(pool.servers[0]?.state, 'ready');
    server.revokeAll();
    await assert.rejects(connection.callTool('put', {}), /it needs a login/);
    assert.equal(pool.servers[0]?.state, 'needs-auth');
  },
);
