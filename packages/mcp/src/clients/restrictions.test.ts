import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonSource } from '@toolfold/config/internal/json-source.ts';
import type { JsonValue } from '@toolfold/core/internal/values/json.ts';
import type { ClientPlace } from './places.ts';
import { isOffered, restrictionsIn } from './restrictions.ts';
import { type ClientServer, serversIn } from './server-entries.ts';

const entry = { command: 'node', args: ['server.js'] };

function serverIn(root: object, beside: JsonValue = {}, id: string = 'mcp'): ClientServer {
  const place = { id, file: '/p/.mcp.json', scope: 'project', format: 'json' } as ClientPlace;
  const source = new JsonSource(place.file, JSON.stringify(root));
  const all = restrictionsIn(id, beside, '/p/settings.json');
  const server = serversIn(source, place, '/p', all).servers.find(({ name }) => name === 's');
  assert.ok(server);
  return server;
}

const off: readonly object[] = [
  ...[{ isActive: false }, { active: false }, { off: true }, { skip: true }, { network: false }],
  ...[{ status: 'disabled' }, { ignoreTools: ['del'] }, { paused: true }, { state: 'Off' }],
  ...[{ run: 0 }, { start: 'never' }],
];

for (const keys of off)
  test(`a key that may switch a server off stops it, ${JSON.stringify(keys)}`, () => {
    const { refusal = '' } = serverIn({ mcpServers: { s: { ...entry, ...keys } } });
    assert.match(refusal, /^its ".*" (?:may mean that it is off|restricts it in a way)/);
  });

test('a key of comfort stops nothing', () => {
  const comfort: readonly object[] = [
    ...[{ isActive: true }, { status: 'running' }, { off: false }, { icon: 'x' }],
    ...[{ debug: false }, { verbose: 0 }, { logLevel: 'off' }, { retries: 0 }, { pinned: false }],
  ];
  for (const keys of comfort)
    assert.equal(serverIn({ mcpServers: { s: { ...entry, ...keys } } }).refusal, undefined);
});

test('a key beside the servers or among them that may restrict stops them', () => {
  const mcpServers = { s: entry };
  for (const keys of [
    { denyTools: ['del'] },
    { disabledServers: ['s'] },
    { ignoredTools: ['x'] },
  ]) {
    assert.match(serverIn({ mcpServers, ...keys }).refusal ?? '', /" of its file may restrict it/);
    const among = { mcpServers: { ...mcpServers, ...keys } };
    assert.match(serverIn(among).refusal ?? '', /" beside it may restrict it/);
  }
  for (const keys of [
    { $schema: 'x' },
    { enabledMcpServers: ['s'] },
    { denyTools: [] },
    { theme: 'y' },
  ])
    assert.equal(serverIn({ mcpServers, ...keys }).refusal, undefined);
});

const lists: readonly (readonly [client: string, settings: object])[] = [
  ['claude-code', { permissions: { deny: ['mcp__s__del'] } }],
  ['claude-code', { permissions: { ask: ['mcp__s__del'] } }],
  ['claude-code', { permissions: { deny: ['MCP__S__DEL'] } }],
  ['claude-code', { permissions: { deny: ['s__del'] } }],
  ['gemini-cli', { excludeTools: ['DEL'] }],
  ['gemini-cli', { tools: { exclude: ['mcp__s__del'] } }],
  ['gemini-cli', { tools: { exclude: ['S__Del'] } }],
];

for (const [client, settings] of lists)
  test(`a tool that a client denies or asks about is not offered: ${JSON.stringify(settings)}`, () => {
    const { tools } = serverIn({ mcpServers: { s: entry } }, settings as JsonValue, client);
    assert.deepEqual([isOffered(tools, 'del'), isOffered(tools, 'read')], [false, true]);
  });

test('a list of an entry names its tools in any case, with or without the server', () => {
  for (const tool of ['DEL', 's__del', 'mcp__s__del']) {
    const { tools } = serverIn({ mcpServers: { s: { ...entry, excludeTools: [tool] } } });
    assert.deepEqual([isOffered(tools, 'del'), isOffered(tools, 'read')], [false, true]);
  }
});

test('an organization switches all servers of Gemini CLI off', () => {
  const settings = { admin: { mcp: { enabled: false } } };
  assert.equal(serverIn({ mcpServers: { s: entry } }, settings, 'gemini-cli').isDisabled, true);
  assert.equal(
    serverIn({ mcpServers: { s: entry }, ...settings }, {}, 'gemini-cli').isDisabled,
    true,
  );
});
