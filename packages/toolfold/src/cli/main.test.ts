import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { VERSION } from '@toolfold/core/internal/version.ts';
import { command } from '../../test/cli/in-process.test-support.ts';
import { home, root, run, start } from '../../test/cli/process.test-support.ts';

const limited = { timeout: 120_000 };

/** What a command line shows, on stdout or stderr. */
async function shownBy(folder: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await command(folder, args);
  return `${stdout}${stderr}`;
}

test('--help and --version', limited, async (context) => {
  const folder = await home(context);
  const help = await run(folder, ['--help']);
  assert.equal(help.code, 0);
  for (const name of ['init', 'list', 'call', 'run', 'inspect', 'audit', 'completion'])
    assert.match(help.stdout, new RegExp(`\\b${name}\\b`));
  assert.deepEqual(await run(folder, ['--version']), {
    code: 0,
    stdout: `${VERSION}\n`,
    stderr: '',
  });
  for (const args of [[], ['help'], ['--help', 'list']])
    assert.equal(await shownBy(folder, args), help.stdout, args.join(' '));
  for (const name of ['init', 'list', 'call', 'run', 'inspect', 'audit', 'completion']) {
    const { code, stdout, stderr } = await command(folder, [name, '--help']);
    assert.deepEqual([code, stderr], [0, '']);
    // The usage line, and a sentence that describes the command.
    assert.match(stdout, new RegExp(`^Usage: toolfold ${name} .*\n\n[A-Z][^.]*\\.`));
    assert.match(stdout, new RegExp(`\nExamples:\n {2}toolfold ${name}`));
    assert.deepEqual((await command(folder, ['help', name])).stdout, stdout);
  }
});

test('compiled code is kept in a folder of the user alone', limited, async (context) => {
  const folder = await home(context);
  const cache = join(folder, 'cache');
  const own = { NODE_COMPILE_CACHE: undefined, NODE_DISABLE_COMPILE_CACHE: undefined };
  const env = { ...own, XDG_CACHE_HOME: cache };
  assert.equal((await run(folder, ['--version'], { env })).code, 0);
  const compiled = join(cache, 'toolfold', 'compiled');
  assert.ok((await readdir(compiled)).length > 0);
  if (process.platform !== 'win32') assert.equal((await stat(compiled)).mode & 0o777, 0o700);
  // A folder that cannot be used is no reason to fail.
  await writeFile(join(folder, 'file'), '');
  const unusable = { XDG_CACHE_HOME: join(folder, 'file') };
  assert.equal((await run(folder, ['--version'], { env: unusable })).code, 0);
});

test('colour is used only on a terminal', limited, async (context) => {
  const folder = await home(context, { 'a.json': JSON.stringify({ server: 'a', tools: [] }) });
  for (const env of [{}, { NO_COLOR: '1' }, { FORCE_COLOR: '1' }] as Record<string, string>[]) {
    const { stdout } = await run(folder, ['inspect', '--catalogs', folder], { env });
    assert.match(stdout, /Server/);
    assert.ok(!stdout.includes('\u001b'));
  }
});

test('the version is that of the package', async () => {
  const manifest = JSON.parse(await readFile(join(root, 'packages/toolfold/package.json'), 'utf8'));
  assert.equal(VERSION, manifest.version);
});

test('bad flags: exit code 2, with a suggestion', limited, async (context) => {
  const folder = await home(context);
  const cases: [string[], RegExp][] = [
    [['inspct'], /unknown command 'inspct'[\s\S]*inspect\?[\s\S]*See toolfold --help\.\n$/],
    [
      ['inspect', '--jsn'],
      /unknown option '--jsn'[\s\S]*--json[\s\S]*See toolfold inspect --help\./,
    ],
    [['inspect', '--strategy', 'dispach'], /dispatch/],
    [['inspect', '--context', '1e5'], /whole number/],
    [['inspect', '--timeout', '0'], /seconds above 0/],
    [['inspect', '--model', 'claude-opus-5-5'], /Write provider\/name/],
    [['inspect', '--turns', '3'], /Add --model/],
    [['inspect', '--model', 'a/b', '--turns', '0'], /whole number of at least 1/],
    [['inspect', '--model', 'a/b', '--loads', '-1'], /whole number of at least 0/],
    [['search', 'x', '--limit', '2000'], /whole number from 1 to 1,000/],
    [['inspect', '--config', 'a', '--catalogs', 'b'], /cannot be used with/],
    [['inspect', '--timeout', '0x10'], /seconds above 0/],
    [['inspect', '--budget', '0'], /whole number above 0, or none/],
    [['inspect', '--config', ''], /Expected a path/],
    [['inspect', '--catalogs', ' '], /Expected a path/],
    [['inspect', '--save', ''], /Expected a path/],
    [['audit', ''], /Expected a path/],
    [['inspect', 'extra'], /too many arguments/],
    [['audit'], /missing required argument/],
    [[], /Usage: toolfold/],
  ];
  for (const [args, expected] of cases) {
    const { code, stdout, stderr } = await command(folder, args);
    assert.equal(code, 2, args.join(' '));
    assert.equal(stdout, '');
    assert.match(stderr, expected);
  }
});

test(
  'a process ends with the code of its command and the same output',
  limited,
  async (context) => {
    const folder = await home(context);
    const outcome = await run(folder, ['inspct']);
    assert.equal(outcome.code, 2);
    assert.deepEqual(outcome, await command(folder, ['inspct']));
  },
);

test('an error names the help of its command', limited, async (context) => {
  const folder = await home(context);
  const cases: [string[], RegExp][] = [
    [['help', 'audti'], /unknown command 'audti'[\s\S]*audit\?/],
    [['rnu', '--help'], /unknown command 'rnu'[\s\S]*run\?/],
    [['--bogus'], /unknown option '--bogus'\nSee toolfold --help\.\n$/],
    [['run', '--bogus'], /unknown option '--bogus'\nSee toolfold run --help\.\n$/],
    [['audit', '--bogus', 'a'], /unknown option '--bogus'\nSee toolfold audit --help\.\n$/],
  ];
  for (const [args, expected] of cases) {
    const { code, stdout, stderr } = await command(folder, args);
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, expected);
  }
});

test(
  'a malformed or absent configuration: exit code 2 with its place',
  limited,
  async (context) => {
    const folder = await home(context, { 'c.json': '{"toolfold":{"stratgy":1}}' });
    const malformed = await command(folder, ['inspect', '--config', 'c.json']);
    assert.equal(malformed.code, 2);
    assert.match(malformed.stderr, /^toolfold: c\.json:1:14: .*Did you mean "strategy"/);
    const absent = await command(folder, ['inspect', '--config', 'none.json']);
    assert.equal(absent.code, 2);
    const none = await command(folder, ['inspect']);
    assert.equal(none.code, 2);
    assert.match(
      none.stderr,
      /No MCP servers are configured\. Give[^\n]* Searched:\n {2}[\s\S]*\.mcp\.json \(Claude Code\)/,
    );
    assert.doesNotMatch(none.stderr, /^ \S/m);
    assert.equal((await command(folder, ['inspect', '--catalogs', 'none'])).code, 2);
  },
);

test(
  'inspect without servers or without a folder to save in: exit code 2, one line',
  limited,
  async (context) => {
    const folder = await home(context, {
      'none.json': '{"mcpServers":{}}',
      'one.json': JSON.stringify({ mcpServers: { a: { command: '/nowhere/toolfold-x' } } }),
    });
    await mkdir(join(folder, 'empty'));
    const cases: [string[], RegExp][] = [
      [['--config', 'none.json'], /^toolfold: There are no servers in none\.json\. .*\n$/],
      [['--catalogs', 'empty'], /^toolfold: There are no servers in empty\. .*\n$/],
      [
        ['--config', 'one.json', '--save', 'none.json'],
        /^toolfold: none\.json is not a folder\. .*\n$/,
      ],
    ];
    for (const [args, expected] of cases) {
      const { code, stdout, stderr } = await command(folder, ['inspect', ...args]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, expected);
    }
  },
);

const full = '/dev/full';
const skip = existsSync(full) ? false : `${full} is absent`;

test('a full disk behind stdout: exit code 1, one line', { ...limited, skip }, async (context) => {
  const folder = await home(context, { 'a.jsonl': '{"provider":"anthropic","url":"/","body":{}}' });
  const device = await open(full, 'w');
  context.after(() => device.close());
  const child = spawn(
    process.execPath,
    [join(root, 'packages/toolfold/bin/toolfold.js'), 'audit', join(folder, 'a.jsonl')],
    { stdio: ['ignore', device.fd, 'pipe'] },
  );
  const [stderr, [code]] = await Promise.all([
    child.stderr ? text(child.stderr) : '',
    once(child, 'close'),
  ]);
  assert.equal(code, 1);
  assert.match(stderr, /^toolfold: stdout cannot be written: .*ENOSPC.*\n$/);
});

test('without flags: the first client file that has servers is used', limited, async (context) => {
  const entry = { command: join('/nowhere', 'toolfold-x') };
  const folder = await home(context, {
    '.mcp.json': JSON.stringify({ mcpServers: { one: entry } }),
    'mcp.json': JSON.stringify({ mcpServers: { two: entry } }),
    'toolfold.json': JSON.stringify({ toolfold: { catalog: { budget: 50 } } }),
  });
  const { code, stdout, stderr } = await command(folder, ['inspect', '--json']);
  assert.equal(code, 3);
  assert.match(
    stderr,
    /Servers from .*\/\.mcp\.json \(Claude Code\)\nSettings from .*toolfold\.json\n/,
  );
  const names = JSON.parse(stdout).servers.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ['one']);
});

test('a closed pipe ends the command without a message', limited, async (context) => {
  const folder = await home(context);
  const line = JSON.stringify({ provider: 'anthropic', url: '/', body: { messages: [] } });
  const child = start(folder, ['audit', '-', '--json']);
  child.stdout?.destroy();
  child.stdin?.end(`${line}\n`.repeat(5000));
  const [stderr] = await Promise.all([
    child.stderr ? text(child.stderr) : '',
    once(child, 'close'),
  ]);
  assert.equal(stderr, '');
});
