import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { clientPlaces } from '../../src/clients/places.ts';
import { type ClientFile, clientIds, readClients } from '../../src/clients/server-entries.ts';

test('the files of each client, by platform', () => {
  const at = (platform: NodeJS.Platform, env: Record<string, string>, home = '/h') =>
    clientPlaces({ cwd: platform === 'win32' ? 'C:\\p' : '/p', home, platform, env });
  const cline = 'User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json';
  const backslashed = (path: string) => path.replaceAll('/', '\\');
  const cases: [NodeJS.Platform, Record<string, string>, string, string[]][] = [
    ['linux', {}, 'zed', ['/p/.zed/settings.json', '/h/.config/zed/settings.json']],
    ['linux', { XDG_CONFIG_HOME: '/x' }, 'zed', ['/p/.zed/settings.json', '/x/zed/settings.json']],
    ['darwin', {}, 'zed', ['/p/.zed/settings.json', '/h/.config/zed/settings.json']],
    ['linux', {}, 'cline', [`/h/.config/Code/${cline}`]],
    ['darwin', {}, 'cline', [`/h/Library/Application Support/Code/${cline}`]],
    ['linux', {}, 'codex', ['/p/.codex/config.toml', '/h/.codex/config.toml']],
    ['linux', { CODEX_HOME: '/c' }, 'codex', ['/p/.codex/config.toml', '/c/config.toml']],
    [
      'linux',
      { XDG_CONFIG_HOME: '/x' },
      'opencode',
      ['json', 'jsonc'].flatMap((end) => [`/p/opencode.${end}`, `/x/opencode/opencode.${end}`]),
    ],
    ['linux', {}, 'claude-code', ['/p/.mcp.json', '/h/.claude.json']],
    ['linux', {}, 'vs-code', ['/p/.vscode/mcp.json', '/h/.config/Code/User/mcp.json']],
  ];
  for (const [platform, env, client, files] of cases) {
    const found = at(platform, env).filter(({ id }) => id === client);
    assert.deepEqual(
      found.map(({ file }) => file),
      files,
      `${client} on ${platform}`,
    );
  }
  for (const env of [{}, { APPDATA: 'C:\\u\\AppData\\Roaming' }] as Record<string, string>[]) {
    const files = at('win32', env, 'C:\\u').map(({ file }) => file);
    for (const file of [
      'C:\\p\\.zed\\settings.json',
      'C:\\u\\AppData\\Roaming\\Zed\\settings.json',
      `C:\\u\\AppData\\Roaming\\Code\\${backslashed(cline)}`,
      'C:\\u\\.codex\\config.toml',
      'C:\\u\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    ])
      assert.ok(files.includes(file), file);
  }
  assert.ok(
    ['claude-code', 'claude-desktop', 'vs-code', 'zed'].every((id) => clientIds().includes(id)),
  );
});

async function read(
  context: TestContext,
  files: Record<string, unknown>,
  clients?: string[],
): Promise<ClientFile[]> {
  const root = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(root, { recursive: true }));
  const cwd = join(root, 'project');
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    // A text of its own is no JSON.
    const isText = Object.hasOwn(Object(content), 'toString');
    const text = isText ? String(content) : JSON.stringify(content);
    await writeFile(file, text.replaceAll('<cwd>', cwd));
  }
  const options = { cwd, home: join(root, 'home'), platform: 'linux', env: {} } as const;
  const found = await readClients(clients === undefined ? options : { ...options, clients });
  return found.filter(({ state }) => state !== 'absent');
}

/** The names of the servers; a minus stands before those that are disabled. */
function names(file: ClientFile | undefined): string[] {
  assert.ok(file?.state === 'read', JSON.stringify(file));
  return file.servers.map(({ name, isDisabled }) => `${isDisabled ? '-' : ''}${name}`);
}

const x = { command: 'x' };

test('what each client calls disabled', async (context) => {
  const settings = 'home/.config/zed/settings.json';
  const cases: [string, Record<string, unknown>, string[]][] = [
    [
      'an entry',
      { 'project/.cursor/mcp.json': { mcpServers: { a: { ...x, disabled: true }, b: x } } },
      ['-a', 'b'],
    ],
    [
      'Gemini, excluded',
      { 'home/.gemini/settings.json': { mcp: { excluded: ['a'] }, mcpServers: { a: x, b: x } } },
      ['-a', 'b'],
    ],
    [
      'Gemini, allowed',
      { 'home/.gemini/settings.json': { mcp: { allowed: ['a'] }, mcpServers: { a: x, b: x } } },
      ['a', '-b'],
    ],
    [
      'Gemini, allowed is empty, names in capitals',
      {
        'home/.gemini/settings.json': {
          mcp: { allowed: [], excluded: ['A '] },
          mcpServers: { a: x, b: x },
        },
      },
      ['-a', 'b'],
    ],
    [
      'Gemini, by command',
      {
        'home/.gemini/settings.json': { mcpServers: { A: x, b: x } },
        'home/.gemini/mcp-server-enablement.json': { a: { enabled: false }, b: { enabled: true } },
      },
      ['-A', 'b'],
    ],
    [
      'Gemini, by command, with a mark of its encoding and a comment',
      {
        'home/.gemini/settings.json': { mcpServers: { A: x, b: x } },
        'home/.gemini/mcp-server-enablement.json': {
          toString: () =>
            '\uFEFF{ "a": { "enabled": false }, // not now\n "b": { "enabled": true } }',
        },
      },
      ['-A', 'b'],
    ],
    [
      'Zed',
      {
        [settings]: {
          context_servers: { a: { ...x, enabled: false }, b: { ...x, enabled: true } },
        },
      },
      ['-a', 'b'],
    ],
    [
      'Claude Code, of the user',
      {
        'home/.claude.json': {
          mcpServers: { a: x, b: x },
          projects: {
            '<cwd>': { disabledMcpServers: ['a'] },
            '/other': { disabledMcpServers: ['b'] },
          },
        },
      },
      ['-a', 'b'],
    ],
    [
      'Claude Code, of the folder',
      {
        'project/.mcp.json': { mcpServers: { a: x, b: x } },
        'project/.claude/settings.local.json': { disabledMcpjsonServers: ['a'] },
      },
      ['-a', 'b'],
    ],
    [
      'Claude Code, in settings of the user',
      {
        'project/.mcp.json': { mcpServers: { a: x, b: x } },
        'home/.claude/settings.json': { disabledMcpjsonServers: ['b'] },
      },
      ['a', '-b'],
    ],
    [
      'Claude Code, in the project of the user',
      {
        'project/.mcp.json': { mcpServers: { a: x, b: x } },
        'home/.claude.json': { projects: { '<cwd>': { disabledMcpjsonServers: ['b'] } } },
      },
      ['a', '-b'],
    ],
  ];
  for (const [title, files, expected] of cases) {
    const found = await read(context, files);
    assert.deepEqual(names(found[0]), expected, title);
  }
});

test('servers that Claude Code keeps for the project come from the file of the user', async (context) => {
  const projects = {
    '<cwd>': { mcpServers: { a: { command: 'mine' }, c: x } },
    '/other': { mcpServers: { d: x } },
  };
  const [file] = await read(context, {
    'home/.claude.json': { mcpServers: { a: x, b: x }, projects },
  });
  assert.deepEqual(names(file), ['a', 'c', 'b']);
  assert.ok(file?.state === 'read');
  assert.deepEqual(file.servers[0]?.entry, { command: 'mine' });
});

test('entries of other forms', async (context) => {
  const cline =
    'home/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json';
  const url = 'http://localhost/mcp';
  const cases: [string, string, string, unknown, unknown][] = [
    [
      'home/.config/zed/settings.json',
      'context_servers',
      'old Zed',
      { command: { path: 'p', args: ['1'], env: { A: 'b' } } },
      { command: 'p', args: ['1'], env: { A: 'b' } },
    ],
    [cline, 'mcpServers', 'Cline without a type', { url }, { url, type: 'sse' }],
    [
      cline,
      'mcpServers',
      'Cline with a type',
      { url, type: 'streamableHttp' },
      { url, type: 'http' },
    ],
    [cline, 'mcpServers', 'older Cline', { url, transportType: 'sse' }, { url, type: 'sse' }],
    [
      'home/.gemini/settings.json',
      'mcpServers',
      'Gemini',
      { url: 'http://localhost/sse' },
      { url: 'http://localhost/sse', type: 'sse' },
    ],
    ['home/.gemini/settings.json', 'mcpServers', 'Gemini', { url }, { url }],
  ];
  for (const [path, key, title, entry, expected] of cases) {
    const [file] = await read(context, { [path]: { [key]: { a: entry } } });
    assert.ok(file?.state === 'read', title);
    assert.deepEqual(file.servers[0]?.entry, expected, title);
  }
});

test('inputs of VS Code: the default of a password is not read', async (context) => {
  const inputs = [
    { id: 'a', default: 'd' },
    { id: 'b', default: 'e', password: true },
    { id: 'c' },
  ];
  const [file] = await read(context, { 'project/.vscode/mcp.json': { servers: { x }, inputs } });
  assert.ok(file?.state === 'read');
  assert.deepEqual(file.inputs, [
    { id: 'a', default: 'd' },
    { id: 'b', default: undefined },
    { id: 'c', default: undefined },
  ]);
});

test('only the clients that were asked for are read', async (context) => {
  const files = {
    'home/.codex/config.toml': 'no TOML',
    'project/mcp.json': { mcpServers: { x } },
  };
  const found = await read(context, files);
  assert.deepEqual(
    found.map(({ client, state }) => [client, state]),
    [
      ['MCP', 'read'],
      ['Codex', 'unreadable'],
    ],
  );
  const asked = await read(context, files, ['codex']);
  assert.deepEqual(
    asked.map(({ client }) => client),
    ['Codex'],
  );
});

test('Codex: entries in TOML', async (context) => {
  const toml = `
model = "gpt-5"
[mcp_servers.stdio]
command = "npx"
args = ["-y", "x"]
env_vars = ["ONE", { name = "TWO", source = "local" }]
enabled_tools = ["a", "b"]
disabled_tools = ["b"]
startup_timeout_sec = 20
tool_timeout_sec = 45.5
[mcp_servers.stdio.env]
KEY = "value"
[mcp_servers."with.dot"]
url = "https://example.com/mcp"
enabled = false
startup_timeout_ms = 1500
bearer_token_env_var = "FIGMA_TOKEN"
http_headers = { "X-Region" = "eu" }
env_http_headers = { "X-Key" = "MY_KEY" }
`;
  const [file] = await read(context, { 'home/.codex/config.toml': { toString: () => toml } });
  assert.deepEqual(names(file), ['stdio', '-with.dot']);
  assert.ok(file?.state === 'read');
  assert.deepEqual(file.servers[0]?.entry, {
    ...{ command: 'npx', args: ['-y', 'x'], env: { KEY: 'value' }, passEnv: ['ONE', 'TWO'] },
    ...{ startSeconds: 20, callSeconds: 45.5 },
  });
  assert.deepEqual(file.servers[0]?.tools, { only: ['a', 'b'], without: ['b'] });
  assert.deepEqual(file.servers[1]?.entry, {
    ...{ url: 'https://example.com/mcp', startSeconds: 1.5 },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of configuration files
    headers: { 'X-Region': 'eu', 'X-Key': '${MY_KEY}', Authorization: 'Bearer ${FIGMA_TOKEN}' },
  });
});

test('Codex: the position of a mistake, and no line of the file', async (context) => {
  const toml = '[mcp_servers.a]\ncommand = "s3cret-value\n';
  const [file] = await read(context, { 'home/.codex/config.toml': { toString: () => toml } });
  assert.ok(file?.state === 'unreadable');
  assert.match(file.reason, /config\.toml:2:\d+: It is not TOML/);
  assert.doesNotMatch(file.reason, /s3cret/);
});

test('opencode: entries, variables, and tools that are switched off', async (context) => {
  const mcp = {
    local: {
      ...{ type: 'local', command: ['npx', '-y', 'x', '{env:ARG}'], enabled: true },
      environment: { KEY: '{env:MY_KEY}', FILE: '{file:~/.key}' },
    },
    remote: { type: 'remote', url: 'https://example.com/mcp', enabled: false },
    local_two: { type: 'local', command: ['y'] },
  };
  const tools = { local_write: false, 'local_two*': false, bash: false, local_read: true };
  const [file] = await read(context, { 'project/opencode.json': { mcp, tools } });
  assert.deepEqual(names(file), ['local', '-remote', 'local_two']);
  assert.ok(file?.state === 'read');
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the syntax of configuration files
  assert.deepEqual(
    file.servers.map(({ entry }) => entry),
    [
      {
        ...{ command: 'npx', args: ['-y', 'x', '${ARG}'] },
        env: { KEY: '${MY_KEY}', FILE: '${file:~/.key}' },
      },
      { url: 'https://example.com/mcp' },
      { command: 'y', args: [] },
    ],
  );
  assert.deepEqual(
    file.servers.map(({ tools }) => tools.without),
    [['write', 'two*'], [], ['*']],
  );
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the syntax of configuration files
});
