import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loginNeeded } from '../../src/login/login.ts';
import { logout } from '../../src/login/logout.ts';
import { startOAuthServer } from './oauth-server.test-support.ts';
import { accept, connect, entryOf, loginFolder, NAME, storeOf } from './session.test-support.ts';

const limited = { timeout: 30_000 };

test('a login for another scope keeps the scopes of the earlier one', limited, async (context) => {
  const server = await startOAuthServer(context, { scope: 'read' });
  const folder = await loginFolder(context);
  const scopes = async () => (await storeOf(server, folder).read()).tokens?.scope;
  await accept(server, folder);
  assert.equal(await scopes(), 'read');
  await accept(server, folder, { oauth: { scopes: ['write'] } });
  assert.equal(await scopes(), 'read write');
  await accept(server, folder, { oauth: { scopes: ['write', 'read'] } });
  assert.equal(await scopes(), 'read write');
  await logout(NAME, entryOf(server.url), { folder });
  await accept(server, folder, { oauth: { scopes: ['write'] } });
  assert.equal(await scopes(), 'write');
});

test('a scope that the server missed is asked for by the next login', limited, async (context) => {
  const server = await startOAuthServer(context, { scope: 'read' });
  const folder = await loginFolder(context);
  const store = storeOf(server, folder);
  await accept(server, folder);
  const session = await connect(context, entryOf(server.url), { folder });
  for (const scope of ['mail write', 'write badé admin']) {
    server.faults.set('/mcp', {
      status: 403,
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
      body: '',
    });
    const error = await session.call({}).catch((reason: unknown) => reason);
    assert.match(loginNeeded(NAME, error)?.reason ?? '', /does not have the scope/);
    server.faults.clear();
  }
  assert.equal((await store.read()).wantedScope, 'mail write admin');
  await accept(server, folder);
  const login = await store.read();
  assert.equal(login.tokens?.scope, 'read mail write admin');
  assert.equal(login.wantedScope, undefined);
});

test('scopes of the user are joined with those of the server', limited, async (context) => {
  const server = await startOAuthServer(context, { scope: 'read' });
  const folder = await loginFolder(context);
  await accept(server, folder, { scopes: ['admin', 'read'] });
  assert.equal((await storeOf(server, folder).read()).tokens?.scope, 'read admin');
});

test('an answer without a scope has the scope that was asked for', limited, async (context) => {
  const server = await startOAuthServer(context, { scope: 'read', saysScope: false });
  const folder = await loginFolder(context);
  const store = storeOf(server, folder);
  await accept(server, folder);
  assert.equal((await store.read()).tokens?.scope, 'read');
  const session = await connect(context, entryOf(server.url), { folder });
  server.expireAll();
  await session.call({});
  assert.equal((await store.read()).tokens?.scope, 'read');
  await accept(server, folder, { scopes: ['write'] });
  assert.equal((await store.read()).tokens?.scope, 'read write');
});
