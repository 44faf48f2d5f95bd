// test: slow
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseConfig } from '../src/config/read-config.ts';
import { readCaptures, saveCapture } from '../src/pool/captures.ts';
import { connectServers } from '../src/pool/connect-servers.ts';

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const signal = new AbortController().signal;

/** Published servers, each with the number of its tools. */
function realServers(folder: string): Record<string, { entry: object; tools: number }> {
  const server = (path: string, args: string[] = [], env: object = {}): object => ({
    command: process.execPath,
    args: [join(modules, path), ...args],
    env: { HOME: folder, ...env },
  });
  const reference = (name: string): string => `@modelcontextprotocol/server-${name}/dist/index.js`;
  const memory = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') };
  const git = { GIT_BASE_DIR: folder, LOGS_DIR: join(folder, 'logs') };
  return {
    filesystem: { entry: server(reference('filesystem'), [folder]), tools: 14 },
    memory: { entry: server(reference('memory'), [], memory), tools: 9 },
    everything: { entry: server(reference('everything')), tools: 13 },
    'sequential-thinking': { entry: server(reference('sequential-thinking')), tools: 1 },
    git: { entry: server('@cyanheads/git-mcp-server/dist/index.js', [], git), tools: 28 },
    time: { entry: server('time-mcp/dist/index.js'), tools: 6 },
  };
}

test('six real servers: listed, called, captured, ended', { timeout: 120_000 }, async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const expected = realServers(folder);
  const entries = Object.entries(expected).map(([name, { entry }]) => [name, entry]);
  const config = parseConfig(
    join(folder, 'mcp.json'),
    JSON.stringify({ mcpServers: Object.fromEntries(entries) }),
    { env: {} },
  );
  const connected = await connectServers(config, { timeout: 60_000 });
  context.after(() => connected.close());
  assert.deepEqual(
    connected.servers.map(({ name, state, tools, reason }) => ({ name, state, tools, reason })),
    Object.entries(expected).map(([name, { tools }]) => ({
      name,
      state: 'ready',
      tools,
      reason: undefined,
    })),
  );

  const call = async (server: string, tool: string, input: object): Promise<unknown> => {
    const group = connected.groups.find(({ groupId }) => groupId === `mcp:${server}`);
    const tools = await group?.loader({ signal });
    return tools?.find(({ name }) => name === tool)?.execute?.(input, { signal });
  };
  const path = join(folder, 'note.txt');
  await call('filesystem', 'write_file', { path, content: 'written by a tool' });
  assert.equal(await readFile(path, 'utf8'), 'written by a tool');
  const failed = await call('filesystem', 'read_text_file', { path: join(folder, 'none') });
  assert.equal((failed as { isError?: boolean }).isError, true);
  const echoed = await call('everything', 'echo', { message: 'hello' });
  assert.match(JSON.stringify(echoed), /hello/);

  const captures = join(folder, 'captures');
  for (const connection of connected.connections) await saveCapture(captures, connection);
  await connected.close();
  for (const connection of connected.connections) assert.equal(connection.state.kind, 'closed');

  const { groups } = await readCaptures(captures);
  const live = new Map(connected.groups.map((group) => [group.groupId, group.toolNames]));
  assert.equal(groups.length, 6);
  for (const group of groups) assert.deepEqual(group.toolNames, live.get(group.groupId));
});
