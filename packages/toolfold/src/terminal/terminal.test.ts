import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { test } from 'node:test';
import { openTerminal } from './terminal.ts';

/** A stream whose reader closed the pipe. */
const closed = (): Writable =>
  new Writable({
    autoDestroy: false,
    write: (_chunk, _encoding, done) =>
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  });

test('a command goes on without a reader of stderr, and ends without one of stdout', async () => {
  for (const [isStdout, ends] of [
    [false, 0],
    [true, 1],
  ] as const) {
    let count = 0;
    const streams = isStdout
      ? { stdin: new PassThrough(), stdout: closed(), stderr: new PassThrough() }
      : { stdin: new PassThrough(), stdout: new PassThrough(), stderr: closed() };
    const terminal = openTerminal(streams, (code) => {
      assert.equal(code, undefined);
      count += 1;
    });
    for (let at = 0; at < 2; at++) {
      terminal.note('a note');
      terminal.out('a result');
      await new Promise(setImmediate);
    }
    assert.equal(count, ends);
  }
});

test('lines that nobody reads do not pile up', () => {
  const stderr = new Writable({ write: () => {} });
  const terminal = openTerminal(
    { stdin: new PassThrough(), stdout: new PassThrough(), stderr },
    () => {},
  );
  for (let at = 0; at < 1000; at++) terminal.note('x'.repeat(10_000));
  assert.ok(stderr.writableLength < 1_100_000);
});
