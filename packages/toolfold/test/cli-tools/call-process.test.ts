// test: slow
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { home, outcomeOf, run, start } from '../cli/process.test-support.ts';
import { configOf, Journal } from '../servers/scripted-server.test-support.ts';

const limited = { timeout: 60_000 };
const LARGE = 50_000_000;

const tools = [
  { name: 'never', inputSchema: { type: 'object', properties: {} }, answer: 'never' },
  { name: 'large', inputSchema: { type: 'object', properties: {} }, answer: { size: LARGE } },
  { name: 'wait', answer: { content: [] } },
];

test('Ctrl-C cancels the call at the server: 130', limited, async (context) => {
  const journal = await Journal.open(context);
  const folder = await home(context, { 'c.json': configOf({ s: journal.entry('s', tools) }) });
  const child = start(folder, ['call', 's__never', '--config', 'c.json']);
  const ended = outcomeOf(child);
  await journal.until('call s');
  child.kill('SIGINT');
  assert.deepEqual(await ended, { code: 130, stdout: '', stderr: '' });
  await journal.until('cancelled s');
  await journal.allGone();
});

test('Ctrl-C while stdin is read: 130', limited, async (context) => {
  const journal = await Journal.open(context);
  const folder = await home(context, { 'c.json': configOf({ s: journal.entry('s', tools) }) });
  const child = start(folder, ['call', 's__wait', '--config', 'c.json']);
  const ended = outcomeOf(child);
  await journal.until('start s');
  child.kill('SIGINT');
  assert.equal((await ended).code, 130);
  await journal.allGone();
});

test('a large text arrives as a whole, in bounded memory', limited, async (context) => {
  const journal = await Journal.open(context);
  const folder = await home(context, { 'c.json': configOf({ s: journal.entry('s', tools) }) });
  const node = ['--max-old-space-size=200'];
  const { code, stdout, stderr } = await run(folder, ['call', 's__large', '--config', 'c.json'], {
    node,
  });
  assert.deepEqual([code, stderr, stdout.length], [0, '', LARGE]);
});

test('Ctrl-C ends the output to a reader that stopped: 130', limited, async (context) => {
  const journal = await Journal.open(context);
  const folder = await home(context, { 'c.json': configOf({ s: journal.entry('s', tools) }) });
  const child = start(folder, ['call', 's__large', '--config', 'c.json']);
  const ended = once(child, 'exit');
  // The first bytes have arrived, and nobody reads on.
  if (child.stdout) await once(child.stdout, 'readable');
  child.kill('SIGINT');
  assert.deepEqual(await ended, [130, null]);
  await journal.allGone();
});

test(
  'Ctrl-C does not cut off a result that is being read: the whole text, then 130',
  limited,
  async (context) => {
    const journal = await Journal.open(context);
    const folder = await home(context, { 'c.json': configOf({ s: journal.entry('s', tools) }) });
    const child = start(folder, ['call', 's__large', '--config', 'c.json']);
    child.stdin?.end();
    if (child.stdout) await once(child.stdout, 'readable');
    child.kill('SIGINT');
    const { code, stdout } = await outcomeOf(child);
    assert.deepEqual([code, stdout.length], [130, LARGE]);
    await journal.allGone();
  },
);

/** Closes stdout after its first bytes, as `head` does. */
async function closed(child: ChildProcess): Promise<{ code: number | null; stderr: string }> {
  child.stdin?.end();
  let stderr = '';
  child.stderr?.on('data', (data) => {
    stderr += data;
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  if (child.stdout) await once(child.stdout, 'data');
  child.stdout?.destroy();
  const [code] = await ended;
  return { code, stderr };
}

for (const flags of [[], ['--json']]) {
  test(`a closed pipe is no error: ${flags.join()}`, limited, async (context) => {
    const journal = await Journal.open(context);
    const folder = await home(context, { 'c.json': configOf({ s: journal.entry('s', tools) }) });
    const args = ['call', 's__large', '--config', 'c.json', ...flags];
    assert.deepEqual(await closed(start(folder, args)), { code: 0, stderr: '' });
    await journal.allGone();
  });
}
