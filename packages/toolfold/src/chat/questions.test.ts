import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Asker, createAsker } from '../questions/asker.ts';
import { Questions } from './open-chat.ts';

const call = { id: '1', name: 'files__write', arguments: { path: 'a.txt' } };

function questions(run = new AbortController()) {
  let changes = 0;
  const notes: string[] = [];
  const asked = new Questions(
    () => {
      changes += 1;
    },
    (text) => text.replaceAll('secret', '…'),
  );
  const { signal } = run;
  const asker = createAsker({ ask: asked.ask, note: (text) => notes.push(text), signal });
  return { asked, asker, notes, changes: () => changes };
}

function approve({ approve }: Asker, name = 'One', signal?: AbortSignal) {
  const stop = signal ? { signal } : {};
  return approve({ ...call, name, askedBy: 'setting', ...stop });
}

/** What follows from what was done so far. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('questions', () => {
  test('are asked one after the other, with the lines about them', async () => {
    const { asked, asker } = questions();
    const [first, second] = [approve(asker), approve(asker, 'Two')];
    await settled();
    const { lines, text, about } = asked.open ?? assert.fail();
    assert.deepEqual(
      [lines, text],
      [['One {"path":"a.txt"}', 'It needs your approval.'], 'Run One?'],
    );
    assert.deepEqual([about.kind, about.call?.arguments], ['approval', call.arguments]);
    asked.open?.answer('once');
    // Keys that come together with the answer are not for the question.
    assert.deepEqual([asked.open], [undefined]);
    assert.equal((await first).approved, true);
    await settled();
    assert.equal(asked.open?.lines[0], 'Two {"path":"a.txt"}');
    assert.equal(asked.open?.isFollowUp, false);
    asked.open?.answer('reject');
    assert.equal((await second).approved, false);
    assert.equal(asked.open, undefined);
  });

  test('come step by step: a line for the reason follows from the answer', async () => {
    const { asked, asker, changes } = questions();
    const answer = approve(asker);
    await settled();
    assert.equal(asked.open?.isFollowUp, false);
    asked.open?.answer('because');
    await settled();
    const { isFollowUp, choices, lines, text, about } = asked.open ?? assert.fail();
    assert.deepEqual([isFollowUp, choices, lines], [true, [], []]);
    assert.equal(text, 'Why not run One? The model reads it');
    assert.equal(about.kind, 'approval');
    asked.open?.answer('not today');
    assert.match((await answer).reason ?? '', /says: not today/);
    assert.equal(changes(), 4);
  });

  test('show no secrets', async () => {
    const { asked, asker } = questions();
    void approve(asker, 'One secret').catch(() => {});
    await settled();
    assert.equal(asked.open?.lines[0], 'One … {"path":"a.txt"}');
    asked.open?.dismiss();
  });

  test('are not held up by one that is dismissed, or that is withdrawn', async () => {
    const { asked, asker } = questions();
    const stop = new AbortController();
    const closed = approve(asker, 'Zero');
    const withdrawn = approve(asker, 'One', stop.signal);
    const last = approve(asker, 'Two');
    await settled();
    asked.open?.dismiss();
    await assert.rejects(closed, /closed here without an answer/);
    await settled();
    assert.equal(asked.open?.text, 'Run One?');
    stop.abort(new Error('gone'));
    await assert.rejects(withdrawn, /gone/);
    await settled();
    assert.equal(asked.open?.text, 'Run Two?');
    asked.open?.answer('once');
    assert.equal((await last).approved, true);
  });

  test('that are withdrawn before their turn are never shown', async () => {
    const { asked, asker } = questions();
    await assert.rejects(approve(asker, 'One', AbortSignal.abort(new Error('gone'))), /gone/);
    assert.equal(asked.open, undefined);
  });
});
