// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { FindConfigsOptions } from '../clients/places.ts';
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

test('a pipe in a project is refused at once, and holds nothing up', async (context) => {
  const options = await scene(context, { 'project/package.json': {} });
  execFileSync('mkfifo', [join(options.cwd ?? '', '.mcp.json')]);
  await assert.rejects(loadFoundConfigs(options), {
    code: 'invalid-config',
    message: /it is not a regular file/,
  });
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
