import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createApprover } from '../../app/approvals/index.ts';
import { Questions } from './questions.ts';

function questions() {
  const outside: string[] = [];
  let changes = 0;
  const asked = new Questions(
    () => {
      changes += 1;
    },
    (text) => outside.push(text),
  );
  return { asked, outside, changes: () => changes };
}

const { signal } = new AbortController();
/** What follows from what was done so far. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('questions', () => {
  test('are asked one after the other, with the lines before them', async () => {
    const { asked, outside } = questions();
    const ask = (name: string) =>
      asked.hold(async () => {
        asked.note(`about ${name}\nmore about ${name}`);
        return asked.askLine(`${name}? > `, signal);
      });
    const [first, second] = [ask('One'), ask('Two')];
    await settled();
    const { lines, text } = asked.open ?? assert.fail();
    assert.deepEqual([lines, text], [['about One', 'more about One'], 'One?']);
    asked.open?.answer('y');
    // Keys that come together with the answer are not for the question.
    assert.deepEqual([asked.open], [undefined]);
    assert.equal(await first, 'y');
    await settled();
    assert.deepEqual(asked.open?.lines, ['about Two', 'more about Two']);
    asked.open?.answer(undefined);
    assert.equal(await second, undefined);
    assert.equal(asked.open, undefined);
    assert.deepEqual(outside, []);
  });

  test('of one hold come one after the other, and what is said last is shown outside', async () => {
    const { asked, outside } = questions();
    const all = asked.hold(async () => {
      const one = await asked.askLine('One?', signal);
      asked.note('between');
      const two = await asked.askLine('Two?', signal);
      asked.note('after');
      return [one, two];
    });
    await settled();
    assert.equal(asked.open?.isFollowUp, false);
    asked.open?.answer('1');
    await settled();
    assert.equal(asked.open?.isFollowUp, true);
    assert.deepEqual(asked.open?.lines, ['between']);
    asked.open?.answer('2');
    assert.deepEqual(await all, ['1', '2']);
    assert.deepEqual(outside, ['after']);
  });

  test('are not held up by one that fails, or that is withdrawn', async () => {
    const { asked } = questions();
    const stop = new AbortController();
    const broken = asked.hold(async () => assert.fail('broken'));
    const withdrawn = asked.hold(() => asked.askLine('One?', stop.signal));
    const last = asked.hold(() => asked.askLine('Two?', signal));
    await assert.rejects(broken, /broken/);
    await settled();
    assert.equal(asked.open?.text, 'One?');
    stop.abort(new Error('gone'));
    await assert.rejects(withdrawn, /gone/);
    await settled();
    assert.equal(asked.open?.text, 'Two?');
    asked.open?.answer('yes');
    assert.equal(await last, 'yes');
  });

  test('that are withdrawn before their turn are never shown', async () => {
    const { asked } = questions();
    const aborted = AbortSignal.abort(new Error('gone'));
    await assert.rejects(
      asked.hold(() => asked.askLine('One?', aborted)),
      /gone/,
    );
    assert.equal(asked.open, undefined);
  });

  test('tell each change', async () => {
    const { asked, changes } = questions();
    const answer = asked.hold(() => asked.askLine('One?', signal));
    await settled();
    assert.equal(changes(), 1);
    asked.open?.answer('x');
    await answer;
    assert.equal(changes(), 2);
  });
});

test('lines outside of questions are shown at once', () => {
  const { asked, outside } = questions();
  asked.note('Hello.\nYou.');
  assert.deepEqual(outside, ['Hello.\nYou.']);
});

test('a question that is repeated still shows what it is about', async () => {
  const { asked } = questions();
  const { note, hold, askLine } = asked;
  const { ask } = createApprover({ note, hold, askLine, signal, allowed: [] });
  const call = { id: '1', name: 'files__write', arguments: { path: 'a.txt' } };
  const answer = ask({ ...call, askedBy: 'setting' });
  await settled();
  const { lines = [] } = asked.open ?? {};
  assert.match(lines.join('\n'), /files__write \{"path":"a.txt"\}\nneeds your approval/);
  asked.open?.answer('what?');
  await settled();
  assert.deepEqual(asked.open?.lines, lines);
  asked.open?.answer('n');
  assert.equal((await answer).approved, false);
});
