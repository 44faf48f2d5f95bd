import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logout } from './index.ts';
import { startOAuthServer } from './oauth-server.test-support.ts';
import { accept, entryOf, loginFolder, NAME, storeOf } from './session.test-support.ts';

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
