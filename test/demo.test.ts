// test: slow
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { estimateTokens } from '@toolfold/core';
import { blocksOf, createPromptCache, startModelServer } from '@toolfold/testing';
import { compileCache } from '../packages/testing/test/compile-cache.test-support.ts';
import { root } from './tree.ts';

const limited = { timeout: 120_000 };

/** Starts the demo with its own home and its own folder for temporary files. */
async function start(
  context: TestContext,
  args: readonly string[],
): Promise<{ child: ChildProcess; folder: string; ended: Promise<[number | null, string]> }> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, [join(root, 'examples/demo/main.ts'), ...args], {
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, ...compileCache },
    stdio: 'pipe',
  });
  child.stdout.setEncoding('utf8');
  const ended = Promise.all([once(child, 'close'), text(child.stderr)]).then(
    ([[code], stderr]): [number | null, string] => [code, stderr],
  );
  return { child, folder, ended };
}

for (const [args, expected] of [
  [['--model', 'nonsense'], /^--model takes provider\/name.*"nonsense"\.\n$/],
  [['--model', 'foo/bar'], /^The demo does not know the provider "foo"\..*\n$/],
  [['--model', 'constructor/bar'], /^The demo does not know the provider "constructor"\..*\n$/],
  [['--model', 'anthropic/'], /^--model takes provider\/name.*\n$/],
  [['--model', 'anthropic/claude-x'], /^.* needs a key in ANTHROPIC_API_KEY\.\n$/],
  [['--model', 'openai/gpt-x'], /^.* needs a key in OPENAI_API_KEY\.\n$/],
  [['--model', 'a/b', '--base-url', 'nonsense'], /^--base-url takes a URL.*\n$/],
  [['--base-url', 'http://127.0.0.1:1'], /^--base-url needs --model.*\n$/],
  [['--modl', 'x'], /^Unknown option '--modl'\. See --help\.\n$/],
  [['extra'], /^Unexpected argument 'extra'\..*\n$/],
  [['--model'], /^Option '--model <value>' argument missing\..*\n$/],
] as const) {
  test(`the demo refuses ${args.join(' ')} before it starts`, limited, async (context) => {
    const { child, folder, ended } = await start(context, args);
    const [stdout, [code, stderr]] = await Promise.all([child.stdout && text(child.stdout), ended]);
    assert.deepEqual([code, stdout, await readdir(folder)], [2, '', []]);
    assert.match(stderr, expected);
  });
}

test(
  'the demo leaves nothing behind if it is stopped while its servers start',
  limited,
  async (context) => {
    const { child, folder, ended } = await start(context, []);
    let shown = '';
    child.stdout?.on('data', (chunk: string) => {
      shown += chunk;
      if (shown.includes('Starting six')) child.kill('SIGINT');
    });
    assert.deepEqual(await ended, [130, 'Stopped.\n']);
    assert.doesNotMatch(shown, /The result in the folder|failed|stopped/);
    assert.deepEqual(await readdir(folder), []);
  },
);

test(
  'the demo ends silently and leaves nothing behind if its reader goes away',
  limited,
  async (context) => {
    const { child, folder, ended } = await start(context, []);
    let shown = '';
    child.stdout?.on('data', (chunk: string) => {
      shown += chunk;
      if (shown.includes('Starting six')) child.stdout?.destroy();
    });
    assert.deepEqual(await ended, [0, '']);
    assert.deepEqual(await readdir(folder), []);
  },
);

test(
  'the demo leaves nothing behind if it is stopped during its task',
  limited,
  async (context) => {
    let interrupt = () => {};
    await using server = await startModelServer({
      script: () => {
        interrupt();
        return { hold: new Promise(() => {}) };
      },
    });
    const model = ['--model', 'local/any', '--base-url', server.baseUrl('openai-chat')];
    const { child, folder, ended } = await start(context, model);
    interrupt = () => child.kill('SIGINT');
    child.stdout?.resume();
    assert.deepEqual(await ended, [130, 'Stopped.\n']);
    assert.equal(server.requests.length, 1);
    assert.deepEqual(await readdir(folder), []);
  },
);

test(
  'the demo counts requests, and its totals equal the recorded bodies to the token',
  limited,
  async (context) => {
    const load = (group_id: string) => ({ name: 'load_tools', arguments: { group_id } });
    await using server = await startModelServer({
      script: [
        { calls: [load('mcp:git'), load('mcp:filesystem')] },
        { calls: [load('mcp:memory')] },
        { text: 'Done.' },
      ],
    });
    const model = ['--model', 'local/any', '--base-url', server.baseUrl('openai-chat')];
    const { child, ended } = await start(context, model);
    const printed = child.stdout ? text(child.stdout) : Promise.resolve('');
    const [stdout, [, stderr]] = await Promise.all([printed, ended]);
    const figure = (value: number) => value.toLocaleString('en-US');
    const tokens = server.requests.map((request) =>
      blocksOf(request).reduce((sum, block) => sum + estimateTokens(block.text), 0),
    );
    const total = tokens.reduce((sum, one) => sum + one, 0);
    const { send } = createPromptCache();
    const cached = server.requests.reduce((sum, request) => sum + send(request).cached, 0);
    assert.equal(server.requests.length, 3, stderr);
    assert.ok(cached > 0);
    assert.ok(
      stdout.includes(
        `Sent: ${figure(total)} tokens in 3 requests, ${figure(cached)} of them from the cache.`,
      ),
      stdout,
    );
    assert.doesNotMatch(stdout, /paid as/, 'The prices of this model are not known.');
    for (const [index, one] of tokens.entries())
      assert.ok(stdout.includes(`request ${index + 1}: ${figure(one)} tokens sent, `), stdout);
  },
);
