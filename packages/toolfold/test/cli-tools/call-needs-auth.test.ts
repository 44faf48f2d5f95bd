import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOAuthServer } from '@toolfold/mcp/test/login/oauth-server.test-support.ts';
import { command } from '../cli/in-process.test-support.ts';
import { home } from '../cli/process.test-support.ts';

test('a server that needs a login', { timeout: 60_000 }, async (context) => {
  const { url } = await startOAuthServer(context);
  const servers = { vault: { url } };
  const folder = await home(context, { 'c.json': JSON.stringify({ mcpServers: servers }) });
  const called = await command(folder, ['call', 'vault/read', '--config', 'c.json']);
  const message =
    'toolfold: The MCP server vault cannot be used: it needs a login. Run: toolfold login vault\n';
  assert.deepEqual(called, { code: 1, stdout: '', stderr: message });
  const listed = await command(folder, ['list', '--config', 'c.json']);
  assert.equal(listed.code, 3);
  assert.match(listed.stdout, /^vault +needs-auth +0$/m);
  assert.match(listed.stdout, /^vault: needs-auth: it needs a login\. Run: toolfold login vault$/m);
});
