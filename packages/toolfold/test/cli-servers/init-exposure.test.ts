// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of configuration files
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { readConfig } from '@toolfold/mcp/internal/config/read-config.ts';
import { command } from '../cli/in-process.test-support.ts';
import { Journal } from '../servers/scripted-server.test-support.ts';
import { scene } from './init.test-support.ts';

const x = { command: 'x' };
const servers = (entries: Record<string, unknown>): object => ({ mcpServers: entries });

suite('lists of tools become rules of exposure', () => {
  const cases: readonly (readonly [string, Record<string, unknown>, object])[] = [
    [
      'tools that are left out',
      { '.gemini/settings.json': servers({ a: { ...x, excludeTools: ['t', 'u_*'] } }) },
      { 'mcp:a/t': 'hidden', 'mcp:a/u_*': 'hidden' },
    ],
    [
      'only some tools',
      {
        '.gemini/settings.json': servers({
          a: { ...x, includeTools: ['t', 'u'], excludeTools: ['u'] },
        }),
      },
      { 'mcp:a/*': 'hidden', 'mcp:a/t': 'deferred', 'mcp:a/u': 'hidden' },
    ],
    ['all tools', { '.mcp.json': servers({ a: { ...x, tools: ['*'] } }) }, {}],
    [
      'two clients: what one hides is hidden',
      {
        '.mcp.json': servers({ a: { ...x, disabledTools: ['t'] } }),
        '.cursor/mcp.json': servers({ a: { ...x, disabledTools: ['u'] } }),
        '.vscode/mcp.json': { servers: { a: x } },
      },
      { 'mcp:a/t': 'hidden', 'mcp:a/u': 'hidden' },
    ],
    [
      'a server with another name in the file',
      {
        '.mcp.json': servers({ a: x }),
        '.cursor/mcp.json': servers({ a: { command: 'y', disabledTools: ['t'] } }),
      },
      { 'mcp:a-cursor/t': 'hidden' },
    ],
    [
      'opencode',
      {
        'opencode.json': {
          mcp: { a: { type: 'local', command: ['x'] } },
          tools: { a_t: false, 'a*': false },
        },
      },
      { 'mcp:a/t': 'hidden', 'mcp:a/*': 'hidden' },
    ],
    [
      'Codex',
      { '.codex/config.toml': '[mcp_servers.a]\ncommand = "x"\nenabled_tools = ["t"]\n' },
      { 'mcp:a/*': 'hidden', 'mcp:a/t': 'deferred' },
    ],
  ];
  for (const [title, files, expected] of cases) {
    test(title, async (context) => {
      const { report, init, project } = await scene(context, files);
      assert.deepEqual((await report([])).exposure, expected);
      const { code, stdout } = await init(['--write']);
      assert.equal(code, 0);
      for (const [glob, value] of Object.entries(expected))
        assert.ok(
          stdout.includes(`${glob}: ${value}, as a client has it; see "exposure".`),
          stdout,
        );
      const { settings } = await readConfig(join(project, 'toolfold.json'), { env: {} });
      // The order counts: the last rule that matches wins.
      assert.deepEqual(Object.entries(settings?.exposure ?? {}), Object.entries(expected));
    });
  }

  test('a file that is there keeps its text and its rules', async (context) => {
    const before = `{
  // Mine.
  "mcpServers": { "own": { "command": "o" } },
  "toolfold": {
    "strategy": "bridge", // as measured
    "exposure": { "mcp:a/t": "inline" }
  }
}
`;
    const { init, project } = await scene(context, {
      'toolfold.json': before,
      '.mcp.json': servers({ a: { ...x, disabledTools: ['t', 'u'] } }),
    });
    assert.equal((await init(['--write'])).code, 0);
    const text = await readFile(join(project, 'toolfold.json'), 'utf8');
    assert.match(text, /\/\/ Mine\..*\/\/ as measured/s);
    const { settings, servers: all } = await readConfig(join(project, 'toolfold.json'), {
      env: {},
    });
    assert.deepEqual([...all.keys()], ['own', 'a']);
    assert.equal(settings?.strategy, 'bridge');
    assert.deepEqual(settings?.exposure, { 'mcp:a/t': 'inline', 'mcp:a/u': 'hidden' });
  });
});

test('servers of Codex and opencode start with what their files say', async (context) => {
  const journal = await Journal.open(context);
  const tools = ['read', 'write'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  const entry = (name: string) => journal.entry(name, tools) as { command: string; args: string[] };
  const [codex, opencode] = [entry('codex'), entry('opencode')];
  const { project, home, init } = await scene(context, {
    'opencode.jsonc': `{ /* mine */ "mcp": { "other": { "type": "local", "command": ${JSON.stringify([opencode.command, ...opencode.args])} } } }`,
  });
  await mkdir(join(home, '.codex'), { recursive: true });
  const toml = `[mcp_servers.one]
command = ${JSON.stringify(codex.command)}
args = ${JSON.stringify(codex.args)}
disabled_tools = ["write"]
env_vars = ["MY_VARIABLE"]
[mcp_servers.one.env]
GITHUB_TOKEN = "ghp_012345678901234567890123456789012345"
`;
  await writeFile(join(home, '.codex', 'config.toml'), toml);
  const written = await init(['--write']);
  assert.equal(written.code, 0, written.stdout);
  const file = await readFile(join(project, 'toolfold.json'), 'utf8');
  assert.doesNotMatch(file, /ghp_/);
  assert.match(file, /"GITHUB_TOKEN": "\$\{GITHUB_TOKEN\}"/);
  assert.deepEqual(JSON.parse(file).mcpServers.one.passEnv, ['MY_VARIABLE']);
  const env = { GITHUB_TOKEN: 'ghp_x' };
  const { code, stdout } = await command(project, ['list', '--json', '--timeout', '60'], { env });
  assert.equal(code, 0);
  assert.deepEqual(
    JSON.parse(stdout).tools.map(({ name }: { name: string }) => name),
    ['one__read', 'other__read', 'other__write'],
  );
});

test('entries that differ only in how they are written are one', async (context) => {
  const headers = { authorization: 'Bearer ${TOKEN}' };
  const { report } = await scene(context, {
    '.mcp.json': servers({
      a: { url: 'https://e.test/mcp', headers: { Authorization: 'Bearer ${env:TOKEN}' } },
    }),
    '.cursor/mcp.json': servers({ a: { type: 'http', url: 'https://e.test/mcp', headers } }),
    '.vscode/mcp.json': {
      servers: { a: { type: 'http', serverUrl: 'https://e.test/mcp', headers } },
    },
  });
  const { servers: found } = await report([]);
  assert.deepEqual(
    found.map(({ name, from }) => [name, from.length]),
    [['a', 3]],
  );
});
