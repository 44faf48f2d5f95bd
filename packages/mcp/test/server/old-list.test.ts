import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ListedTool } from '../../src/connection/listing.ts';
import type { ConnectionOptions } from '../../src/server/link.ts';
import type { ServerConnection } from '../../src/server/server-connection.ts';
import { WebServer } from '../chaos/web-server.test-support.ts';
import { observe } from './server-connection.test-support.ts';

const limited = { timeout: 30_000 };

interface Scene {
  readonly web: WebServer;
  readonly connection: ServerConnection;
  readonly tool: ListedTool;
  /** Lets time pass, as far as the age of lists is concerned. */
  readonly pass: (milliseconds: number) => void;
}

/** A connected server with the tool `a`, whose definition the caller knows. */
async function scene(
  context: TestContext,
  options: Partial<ConnectionOptions> = {},
): Promise<Scene> {
  const web = await WebServer.begin(context);
  web.tools = [{ name: 'a', description: 'old', annotations: { readOnlyHint: true } }];
  let passed = 0;
  const now = performance.now.bind(performance);
  context.mock.method(performance, 'now', () => now() + passed);
  const { connection } = observe(context, web.entry(), options);
  await connection.start();
  const [tool] = connection.listing?.tools ?? [];
  const pass = (milliseconds: number): void => {
    passed += milliseconds;
  };
  return { web, connection, tool: tool ?? assert.fail(), pass };
}

test(
  'promise 55: a definition that changed without a notice is noticed before a call',
  limited,
  async (context) => {
    const { web, connection, tool, pass } = await scene(context);
    web.tools = [{ ...tool, description: 'new' }];
    pass(61_000);
    await assert.rejects(connection.callTool(tool, {}), /is no longer the one that was listed/);
    assert.equal(web.count('tools/call'), 0);
    const [renewed] = connection.listing?.tools ?? [];
    assert.equal(renewed?.description, 'new');
    await connection.callTool(renewed ?? assert.fail(), {});
    assert.equal(web.count('tools/call'), 1);
  },
);

test('promise 55: a tool that is gone without a notice is not called', limited, async (context) => {
  const { web, connection, tool, pass } = await scene(context);
  web.tools = [];
  pass(61_000);
  await assert.rejects(connection.callTool(tool, {}), /no longer has the tool a/);
  assert.equal(web.count('tools/call'), 0);
});

test('a list is read again once a minute, and once for all calls', limited, async (context) => {
  const { web, connection, tool, pass } = await scene(context);
  await connection.callTool(tool, {});
  pass(59_000);
  await connection.callTool(tool, {});
  assert.equal(web.count('tools/list'), 1);
  pass(1000);
  await Promise.all(Array.from({ length: 5 }, () => connection.callTool(tool, {})));
  assert.equal(web.count('tools/list'), 2);
  pass(59_000);
  await connection.callTool(tool, {});
  assert.equal(web.count('tools/list'), 2);
});

test('calls that nobody approves need no new list', limited, async (context) => {
  const { web, connection, tool, pass } = await scene(context, { isTrusted: () => true });
  pass(61_000);
  await connection.callTool(tool, {});
  const plain = await scene(context);
  pass(61_000);
  await plain.connection.callTool('a', {});
  assert.deepEqual([web.count('tools/list'), plain.web.count('tools/list')], [1, 1]);
});

test('a list that cannot be read again: the call does not run', limited, async (context) => {
  const { web, connection, tool, pass } = await scene(context);
  web.onAll = ({ method }, response) => {
    if (method === 'tools/list') response.writeHead(500).end('no list today');
    return method === 'tools/list';
  };
  pass(61_000);
  await assert.rejects(
    connection.callTool(tool, {}),
    /a was not called: .* could not be checked \(HTTP 500 Internal Server Error: no list today\)/,
  );
  assert.equal(web.count('tools/call'), 0);
});

test(
  'a session that is gone when the list is read again: another one',
  limited,
  async (context) => {
    const { web, connection, tool, pass } = await scene(context);
    web.sessions.clear();
    pass(61_000);
    await connection.callTool(tool, {});
    assert.deepEqual([web.count('initialize'), web.count('tools/call')], [2, 1]);
  },
);
