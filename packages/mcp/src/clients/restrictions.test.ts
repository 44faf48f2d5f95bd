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

const nested: readonly object[] = [
  { tool_configuration: { enabled: false } },
  { tool_configuration: { allowed_tools: ['read'] } },
  { config: { disabled: true } },
  { config: { disabled: 'yes' } },
  { settings: { denyTools: ['del'] } },
  { options: { excludeTools: ['del'] } },
  { options: { deeper: [{ excludeTools: ['del'] }] } },
  { overrides: { del: { enabled: false } } },
  { overrides: [{ tool: 'del', hidden: true }] },
  { tool_overrides: { del: false } },
  { tool_overrides: { del: { status: 'disabled' } } },
  { gallery: { enabled: false } },
  { description: { allowedTools: [] } },
  { trust: { readOnly: true } },
];

for (const keys of nested)
  for (const id of ['mcp', 'cursor', 'zed', 'codex', 'gemini-cli', 'claude-code'])
    test(`a restriction inside an unknown key stops the server: ${JSON.stringify(keys)} in ${id}`, () => {
      const { refusal = '' } = serverIn({ mcpServers: { s: { ...entry, ...keys } } }, {}, id);
      assert.match(refusal, /^its ".*" (?:may mean|restricts it in a way) /);
    });

test('a key inside another that restricts nothing stops nothing', () => {
  const plain: readonly object[] = [
    { tool_configuration: { enabled: true } },
    { config: { disabled: false, debug: false } },
    { options: { excludeTools: [] } },
    { settings: { alwaysAllow: ['del'], color: 'red' } },
    { tool_overrides: { del: { description: 'Deletes.' } } },
    { gallery: { publisher: 'x', version: '1' } },
    { env: { DISABLE_TOOLS: 'del', ENABLED: 'false' } },
    { headers: { 'X-Deny': 'a' } },
  ];
  for (const keys of plain)
    assert.equal(
      serverIn({ mcpServers: { s: { ...entry, ...keys } } }).refusal,
      undefined,
      JSON.stringify(keys),
    );
});

test('a restriction inside an unknown key beside the servers stops them', () => {
  for (const keys of [
    { tool_configuration: { enabled: false } },
    { settings: { denyTools: ['del'] } },
    { options: { tools: { exclude: ['del'] } } },
    { overrides: { s: { disabled: true } } },
    { overrides: [{ servers: { disabled: true } }] },
  ])
    for (const id of ['mcp', 'cursor', 'toolfold', 'vs-code', 'claude-code'])
      assert.match(
        serverIn({ mcpServers: { s: entry }, ...keys }, {}, id).refusal ?? '',
        /of its file may restrict it/,
        `${id} ${JSON.stringify(keys)}`,
      );
  for (const keys of [
    { overrides: { other: { disabled: true } } },
    { tool_configuration: { enabled: true } },
    { toolNames: { del: 'Delete' } },
  ])
    assert.equal(serverIn({ mcpServers: { s: entry }, ...keys }).refusal, undefined);
});

test('permissions.deny with globs hides what it matches', () => {
  const all = ['*', 'mcp__*', 'mcp__s', 'MCP__?', 'mcp__s__*', 'mcp__*__*', 's__*'];
  for (const [rules, isReadOffered] of [
    ...all.map((rule) => [rule, false] as const),
    ...['mcp__*__del', 's__d*', '?__DEL'].map((rule) => [rule, true] as const),
  ])
    for (const key of ['deny', 'ask']) {
      const { tools } = serverIn({ mcpServers: { s: entry }, permissions: { [key]: [rules] } });
      const found = [isOffered(tools, 'del'), isOffered(tools, 'read')];
      assert.deepEqual(found, [false, isReadOffered], rules);
    }
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

/** What restricts a tool, in the words of any client, in the file of servers itself. */
const beside: readonly object[] = [
  { permissions: { deny: ['mcp__s__del'] } },
  { permissions: { ask: ['mcp__s__del'] } },
  { tools: { exclude: ['del'] } },
  { excludeTools: ['mcp__s__del'] },
  { tools: { s_del: false } },
  { permission: { s_del: 'deny' } },
  { user: { never_allow: ['s__del'] } },
  { never_allow: ['s__del'] },
  { never_allow: ['del'] },
  { agent: { tool_permissions: { tools: { 'mcp:s:del': { default: 'deny' } } } } },
];

for (const keys of beside)
  for (const id of ['mcp', 'toolfold', 'cursor', 'claude-code', 'gemini-cli', 'windsurf'])
    test(`a restriction in the words of another client holds too: ${JSON.stringify(keys)} in ${id}`, () => {
      const { tools, refusal } = serverIn({ mcpServers: { s: entry }, ...keys }, {}, id);
      assert.equal(refusal, undefined);
      assert.deepEqual([isOffered(tools, 'del'), isOffered(tools, 'read')], [false, true]);
    });

/** What looks like a restriction and is none, with what is said about it. */
const unread: readonly (readonly [keys: object, said: RegExp])[] = [
  [{ permissions: { denied: ['mcp__s__del'] } }, /^"permissions\.denied" in .* has no effect/],
  [{ permissions: { deny: ['del'] } }, /"permissions\.deny: del" .* names no tool of these/],
  [{ permissions: { deny: ['mcp__other__del'] } }, /names no tool of these servers/],
  [{ neverAllow: ['s__del'] }, /^"neverAllow" in .* has no effect\. .* stand under "toolfold"/],
  [{ exposure: { 'mcp:s/del': 'hidden' } }, /^"exposure" in .* stand under "toolfold"/],
  [{ approvals: { mode: 'always' } }, /^"approvals" in .* stand under "toolfold"/],
  [{ tools: { excluded: ['del'] } }, /^"tools\.excluded" in/],
];

for (const [keys, said] of unread)
  test(`a restriction that nothing reads is named: ${JSON.stringify(keys)}`, () => {
    const lines = unreadIn({ mcpServers: { s: entry }, ...keys });
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', said);
  });

test('keys that restrict nothing are not named', () => {
  const keys = { $schema: 'x', theme: 'dark', permissions: { allow: ['x'], deny: [] }, inputs: [] };
  assert.deepEqual(unreadIn({ mcpServers: { s: entry }, ...keys, exposure: {} }), []);
});

function unreadIn(root: object): readonly string[] {
  const place = { id: 'mcp', file: '/p/mcp.json', scope: 'project', format: 'json' } as ClientPlace;
  return serversIn(new JsonSource(place.file, JSON.stringify(root)), place, '/p', []).unread;
}

for (const key of ['Toolfold', 'TOOLFOLD', 'tool-fold', 'toolFold', 'toolfolds', 'tolfold'])
  test(`a block with a misspelt name is an error beside servers too: ${key}`, () => {
    for (const others of [{ mcpServers: { s: entry } }, { toolfold: {} }, {}])
      assert.throws(
        () => unreadIn({ ...others, [key]: { exposure: { '*': 'hidden' } } }),
        /Unknown key/,
      );
  });

test('what one agent of opencode may not use is left out for all, and a rule of Claude may have spaces', () => {
  const root = { mcpServers: { s: entry } };
  const inOpencode: readonly JsonValue[] = [
    { agent: { build: { tools: { s_del: false } } } },
    { mode: { plan: { tools: { s_del: false } } } },
    { agent: { build: { permission: { s_del: 'deny' } } } },
  ];
  for (const beside of inOpencode)
    assert.deepEqual(serverIn(root, beside, 'opencode').tools.without, ['del']);
  for (const deny of [' mcp__s__del ', 'mcp__s__del ', '\tmcp__s__del'])
    assert.deepEqual(
      serverIn(root, { permissions: { deny: [deny] } }, 'claude-code').tools.without,
      ['del'],
    );
  const whole = serverIn(root, { permissions: { deny: [' mcp__s '] } }, 'claude-code');
  assert.deepEqual(whole.tools.without, ['*']);
});
