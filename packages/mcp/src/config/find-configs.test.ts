// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type FindConfigsOptions, readClients } from '../clients/index.ts';
import { findConfigs, loadFoundConfigs, type ProjectEntry } from './find-configs.ts';

async function scene(
  context: TestContext,
  files: Record<string, unknown>,
): Promise<FindConfigsOptions> {
  const root = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(root, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return { cwd: join(root, 'project'), home: join(root, 'home'), platform: 'linux', env: {} };
}

/** Says yes to all entries of the project. */
const all = async (entries: readonly ProjectEntry[]) => new Set(entries.map(({ hash }) => hash));

const server = (name: string): unknown => ({ mcpServers: { [name]: { command: 'x' } } });

test('the places of each platform', async () => {
  const at = async (platform: NodeJS.Platform, env: Record<string, string>): Promise<string[]> => {
    const options = { cwd: '/c', home: '/h', platform, env };
    return (await findConfigs(options)).map(({ file }) => file);
  };
  const linux = await at('linux', {});
  for (const file of [
    '/c/toolfold.jsonc',
    '/c/.mcp.json',
    '/c/.cursor/mcp.json',
    '/c/.vscode/mcp.json',
    '/c/mcp.json',
    '/h/.config/Claude/claude_desktop_config.json',
    '/h/.claude.json',
    '/h/.cursor/mcp.json',
    '/h/.config/Code/User/mcp.json',
    '/h/.codeium/windsurf/mcp_config.json',
    '/h/.gemini/settings.json',
  ]) {
    assert.ok(linux.includes(file), file);
  }
  const mac = await at('darwin', {});
  assert.ok(mac.includes('/h/Library/Application Support/Claude/claude_desktop_config.json'));
  const windows = await at('win32', { APPDATA: 'C:\\Users\\u\\AppData\\Roaming' });
  assert.ok(windows.includes('C:\\Users\\u\\AppData\\Roaming\\Claude\\claude_desktop_config.json'));
  assert.ok((await at('linux', { XDG_CONFIG_HOME: '/x' })).includes('/x/Code/User/mcp.json'));
});

test('files of the project come before those of the user, and existing files are reported', async (context) => {
  const options = await scene(context, {
    'project/.cursor/mcp.json': server('cursor'),
    'home/.claude.json': server('claude'),
  });
  const found = await loadFoundConfigs({ ...options, trusted: all });
  assert.deepEqual([...(found.config?.servers.keys() ?? [])], ['cursor']);
  assert.deepEqual(
    found.places.filter(({ exists }) => exists).map(({ client }) => client),
    ['Cursor', 'Claude Code'],
  );
});

test('the settings may be in a separate file', async (context) => {
  const options = await scene(context, {
    'project/toolfold.jsonc': '{ "toolfold": { "strategy": "bridge" } } // mine',
    'project/mcp.json': server('a'),
  });
  const found = await loadFoundConfigs({ ...options, trusted: all });
  assert.equal(found.config?.file, join(options.cwd, 'mcp.json'));
  assert.equal(found.config?.settings?.strategy, 'bridge');
  assert.equal(found.settingsFile, join(options.cwd, 'toolfold.jsonc'));
});

test('files without servers are skipped; a malformed file is an error', async (context) => {
  const passed = await scene(context, {
    'project/.gemini/settings.json': { theme: 'x' },
    'home/.claude.json': server('claude'),
  });
  assert.equal((await loadFoundConfigs(passed)).config?.file, join(passed.home, '.claude.json'));
  const malformed = await scene(context, {
    'project/.mcp.json': '{',
    'project/mcp.json': server('a'),
  });
  await assert.rejects(loadFoundConfigs(malformed), { code: 'invalid-config', message: /1:2/ });
});

test('nothing found', async (context) => {
  const found = await loadFoundConfigs(await scene(context, {}));
  assert.equal(found.config, undefined);
  assert.ok(found.places.length > 5);
});

test("the workspace of a user's file is the current folder", async (context) => {
  const options = await scene(context, {
    'home/.cursor/mcp.json': '{"mcpServers":{"a":{"command":"x","args":["${workspaceFolder}"]}}}',
  });
  const entry = (await loadFoundConfigs(options)).config?.servers.get('a');
  assert.ok(entry?.kind === 'stdio');
  assert.deepEqual(entry.args, [options.cwd]);
});

test('without a yes nothing of the project takes effect but what restricts, and nothing is filled in', async (context) => {
  const toolfold = { strategy: 'bridge', exposure: { a: 'hidden', b: 'inline' }, maxRounds: 3 };
  const options = await scene(context, {
    'project/.mcp.json': { mcpServers: { a: { command: '${SECRET}' } }, toolfold },
  });
  const { config, untrusted } = await loadFoundConfigs(options);
  assert.deepEqual([...(config?.servers ?? [])], []);
  assert.deepEqual([config?.untrusted, untrusted.length], [['a'], 2]);
  assert.deepEqual(config?.settings, { exposure: { a: 'hidden' }, maxRounds: 3 });
});

/** What somebody can put in the place of a project's file, and what comes of it. */
const planted: Readonly<
  Record<string, readonly [make: (file: string) => Promise<unknown>, found: RegExp | string]>
> = {
  'a link to keys beside it': [(file) => symlink('.env', file), /a link to something else/],
  'a link to a file outside': [
    (file) => symlink('../outside/mcp.json', file),
    /a link to something else/,
  ],
  'a link to a file of the user': [(file) => symlink('../home/.claude.json', file), 'own'],
  'a link to a JSON file of the project': [(file) => symlink('config/s.json', file), 'inside'],
  'a hard link': [(file) => link(join(dirname(file), '../outside/mcp.json'), file), 'outside'],
  'a link to itself': [(file) => symlink(file, file), 'own'],
  'a folder': [(file) => mkdir(file), /it is a folder/],
  'a huge file': [
    async (file) => {
      await writeFile(file, '');
      await truncate(file, 2 ** 40);
    },
    /larger than 64 MB/,
  ],
  ...(process.platform === 'win32'
    ? {}
    : { 'a pipe': [async (file) => execFileSync('mkfifo', [file]), /not a regular file/] }),
};

for (const [what, [make, expected]] of Object.entries(planted))
  test(`a file of a project that nobody has named may be ${what}`, async (context) => {
    const options = await scene(context, {
      'project/.env': 'KEY=SECRET',
      'project/config/s.json': server('inside'),
      'outside/mcp.json': server('outside'),
      'home/.claude.json': server('own'),
    });
    await make(join(options.cwd, '.mcp.json'));
    const loading = loadFoundConfigs({ ...options, trusted: all });
    if (typeof expected === 'string')
      return assert.deepEqual([...((await loading).config?.servers.keys() ?? [])], [expected]);
    await assert.rejects(loading, (error: Error) => {
      assert.match(error.message, expected);
      assert.doesNotMatch(error.message, /SECRET/);
      return true;
    });
    const file = (await readClients(options)).find(({ id, scope }) => {
      return id === 'claude-code' && scope === 'project';
    });
    assert.equal(file?.state, 'unreadable');
  });
