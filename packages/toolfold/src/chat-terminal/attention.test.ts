import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Attention } from './screen.ts';

const [IN, OUT, BELL] = ['\u001B[I', '\u001B[O', '\u0007'];

/** What is written while a turn runs, asks twice and ends. */
function written(focus: string | undefined, notify?: 'bell' | 'desktop' | 'off'): string {
  let all = '';
  const attention = new Attention((data) => {
    all += data;
  });
  if (focus !== undefined) assert.equal(attention.takes(focus), true);
  const question = {};
  const idle = { isWorking: false, question: undefined };
  for (const now of [
    ...[idle, { ...idle, isWorking: true }, { isWorking: true, question }],
    ...[
      { isWorking: true, question },
      { isWorking: true, question: {} },
    ],
    ...[{ ...idle, isWorking: true }, idle, idle],
  ])
    attention.watch(now.isWorking, now.question, notify);
  return all;
}

describe('the user is called', () => {
  test('when a question opens and when a turn ends, while the terminal has no focus', () => {
    assert.equal(written(OUT), BELL.repeat(3));
    const asks = '\u001B]9;Toolfold asks you\u0007';
    assert.equal(
      written(OUT, 'desktop'),
      `${asks}${asks}\u001B]9;Toolfold has ended its turn\u0007`,
    );
  });

  test('not while it has the focus or does not say, and not where it is off', () => {
    for (const focus of [IN, undefined]) assert.equal(written(focus), '');
    assert.equal(written(OUT, 'off'), '');
    assert.equal(new Attention(() => {}).takes('I'), false);
  });
});
