import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { openTerminal, Unwritten } from '../terminal/terminal.ts';
import { progressText } from './call.ts';
import { printResult, writeWhole } from './call-result.ts';

const { signal } = new AbortController();

/** What a terminal gets for a result. */
async function onTerminal(result: unknown, json = false): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const streams = { stdin: process.stdin, stdout: Object.assign(stdout, { isTTY: true }), stderr };
  const terminal = openTerminal(streams, () => {});
  const shared = { startedAt: 0, unwritten: new Unwritten() };
  const context = { streams, terminal, signal, exitWith: () => {}, ...shared };
  const shown = text(stdout);
  await printResult(result, { name: 's__t', out: '.', json }, context);
  stdout.end();
  return shown;
}

suite('a result on a terminal', () => {
  const words = (value: string): object => ({ content: [{ type: 'text', text: value }] });
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['an end of line is added', words('a'), 'a\n'],
    ['an end of line is kept', words('a\n'), 'a\n'],
    ['no escapes', words('\u001b[2Ja\u001b]0;t\u0007\0\u009b1mb\u202e'), 'a1mb\n'],
    [
      'no escapes in JSON',
      { content: [], structuredContent: '\u009b\u001b' },
      '"\\u009b\\u001b"\n',
    ],
    ['an empty text', words(''), ''],
  ];
  for (const [name, result, expected] of cases) {
    test(name, async () => assert.equal(await onTerminal(result), expected));
  }

  test('--json is the same value, without control characters', async () => {
    const result = words('\u001b[31m\u009b');
    const shown = await onTerminal(result, true);
    assert.deepEqual(JSON.parse(shown), result);
    assert.match(shown.trimEnd(), /^[ -~]+$/);
  });
});

for (const content of ['a text', null, {}, 7])
  test(`content that is no list is an error, ${JSON.stringify(content)}`, async () => {
    const codes: number[] = [];
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const streams = { stdin: process.stdin, stdout, stderr };
    const terminal = openTerminal(streams, () => {});
    const exitWith = (code: number): void => {
      codes.push(code);
    };
    const shared = { startedAt: 0, unwritten: new Unwritten(), exitWith };
    const said = text(stderr);
    const options = { name: 's__t', out: '.' };
    await printResult({ content }, options, { streams, terminal, signal, ...shared });
    stderr.end();
    assert.match(await said, /content of the result is no list/);
    assert.equal(codes.at(-1), 1);
  });

suite('writeWhole', () => {
  test('a slow reader gets everything, and no more is in memory than it takes', async () => {
    const received: Buffer[] = [];
    let most = 0;
    const slow = new Writable({
      write(chunk: Buffer, _encoding, done) {
        received.push(chunk);
        most = Math.max(most, this.writableLength);
        setImmediate(done);
      },
    });
    // Characters of two halves stand across the ends of chunks.
    const long = `a${'😀'.repeat(200_000)}\ud800`;
    await writeWhole(long, slow, signal);
    await new Promise<void>((resolve) => slow.end(resolve));
    assert.equal(Buffer.concat(received).toString(), long.toWellFormed());
    assert.ok(most < 1_000_000, String(most));
  });

  test('a signal ends the writing to a reader that stopped', async () => {
    const stuck = new Writable({ write() {} });
    const stop = new AbortController();
    const writing = writeWhole('x'.repeat(1_000_000), stuck, stop.signal);
    stop.abort(new Error('stopped'));
    await assert.rejects(writing);
  });
});

test('progress as a line', () => {
  assert.equal(progressText({ progress: 3, total: 10, message: 'a\n\u001b[31mb' }), '3 of 10, a b');
  assert.equal(progressText({ progress: 1200 }), '1,200');
});
