import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { describe, it } from 'node:test';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { type McpServerOptions, startMcpServer } from './mcp-server.ts';

const named = (name: string) => ({ name, inputSchema: { type: 'object' } });

async function connected(options: McpServerOptions) {
  const server = await startMcpServer(options);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(server.transport);
  return { server, client };
}

describe('the MCP server in memory', () => {
  it('is a real server: name, instructions, tools, calls', async () => {
    const { server, client } = await connected({
      name: 'github',
      instructions: 'Be careful.',
      tools: [{ ...named('say'), _meta: { 'anthropic/alwaysLoad': true } }],
    });
    assert.equal(client.getServerVersion()?.name, 'github');
    assert.equal(client.getInstructions(), 'Be careful.');
    const { tools } = await client.listTools();
    assert.deepEqual(tools[0]?._meta, { 'anthropic/alwaysLoad': true });
    const result = await client.callTool({ name: 'say', arguments: { a: 1 } });
    assert.deepEqual(result.content, [{ type: 'text', text: '{"a":1}' }]);
    assert.deepEqual(server.calls, [{ name: 'say', input: { a: 1 } }]);
    assert.equal(server.listings, 1);
    await server.close();
  });

  it('lists in pages', async () => {
    const tools = ['a', 'b', 'c'].map(named);
    const { server, client } = await connected({ tools, pageSize: 2 });
    const first = await client.request({ method: 'tools/list', params: {} });
    assert.deepEqual(
      first.tools.map(({ name }) => name),
      ['a', 'b'],
    );
    const { nextCursor = '' } = first;
    const rest = await client.request({ method: 'tools/list', params: { cursor: nextCursor } });
    assert.deepEqual(
      rest.tools.map(({ name }) => name),
      ['c'],
    );
    assert.equal(rest.nextCursor, undefined);
    assert.equal(server.listings, 2);
    await server.close();
  });

  it('passes on unknown fields', async () => {
    const odd = { ...named('odd'), madeUp: { deep: [1] }, annotations: { unheardOf: true } };
    await using server = await startMcpServer({ tools: [odd, named('odd')] });
    const lines = await rawListing(server.transport);
    assert.match(lines, /"madeUp":\{"deep":\[1\]\}/);
    assert.match(lines, /"unheardOf":true/);
    assert.equal(lines.match(/"name":"odd"/g)?.length, 2);
  });

  it('announces another list', async () => {
    const { server, client } = await connected({ tools: [named('a')] });
    const announced = new EventEmitter();
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      announced.emit('changed');
    });
    const changed = once(announced, 'changed');
    await server.setTools([named('b')]);
    await changed;
    assert.deepEqual(
      (await client.listTools()).tools.map(({ name }) => name),
      ['b'],
    );
    await server.close();
  });

  it('can be slow to list, and calls can fail', async () => {
    const gate = new EventEmitter();
    const { server, client } = await connected({
      tools: [named('a')],
      gate: once(gate, 'open'),
      callTool: () => ({ isError: true, content: [{ type: 'text', text: 'no' }] }),
    });
    const listing = client.listTools().then(() => 'listed');
    const waiting = new Promise((resolve) => setImmediate(resolve, 'waiting'));
    assert.equal(await Promise.race([listing, waiting]), 'waiting');
    gate.emit('open');
    assert.equal(await listing, 'listed');
    assert.equal((await client.callTool({ name: 'a', arguments: {} })).isError, true);
    await server.close();
  });
});

// The raw answer to tools/list, before a client drops unknown fields.
async function rawListing(transport: Transport): Promise<string> {
  const answers = new EventEmitter();
  transport.onmessage = (message) => {
    if ('id' in message) answers.emit(String(message.id), message);
  };
  await transport.start();
  const send = async (id: number, method: string, params: Record<string, unknown>) => {
    const answer = once(answers, String(id));
    await transport.send({ jsonrpc: '2.0', id, method, params });
    return JSON.stringify((await answer)[0]);
  };
  await send(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1.0.0' },
  });
  await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return send(2, 'tools/list', {});
}
