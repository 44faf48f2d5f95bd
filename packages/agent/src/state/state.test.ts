import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@toolfold/core/internal/values/json.ts';
import { applyEntry } from './apply-entry.ts';
import { ConversationState } from './state.ts';

/** The state after entries. */
function stateOf(
  ...entries: readonly (readonly [kind: string, body: JsonObject])[]
): ConversationState {
  const state = new ConversationState();
  for (const [index, [kind, body]] of entries.entries())
    applyEntry(state, { id: `${index}`, seq: index + 1, kind, body, at: 0 });
  return state;
}

const answer = {
  approvalId: 'a',
  id: 'c',
  name: 'mail__send',
  approved: true,
  askedBy: 'setting',
};
const { askedBy: _, ...unmarked } = answer;
const forSession = { scope: 'session', fingerprint: 'f' };

describe('what an earlier process has permitted', () => {
  test('holds longer than one call only for a known definition', () => {
    const granted = (more: JsonObject) => stateOf(['answer', { ...answer, ...more }]).granted;
    const known = { name: 'mail__send', fingerprint: 'f' };
    assert.deepEqual(granted({ scope: 'session', fingerprint: 'f' }), [known]);
    assert.deepEqual(granted({ scope: 'always', fingerprint: 'f' }), [known]);
    assert.deepEqual(granted({ scope: 'session' }), []);
    assert.deepEqual(granted({ scope: 'once', fingerprint: 'f' }), []);
    assert.deepEqual(granted({ fingerprint: 'f' }), []);
    assert.deepEqual(granted({ scope: 'session', fingerprint: 'f', approved: false }), []);
  });

  test('promise 64: holds for questions of the kind that the user was asked', () => {
    const granted = (body: JsonObject) => stateOf(['answer', body]).granted;
    const known = { name: 'mail__send', fingerprint: 'f' };
    const byHook = { ...unmarked, ...forSession, askedBy: 'hook' };
    assert.deepEqual(granted({ ...byHook, askKey: 'k' }), [{ ...known, askKey: 'k' }]);
    assert.deepEqual(granted(byHook), []);
    assert.deepEqual(granted({ ...byHook, askKey: 'k', scope: 'once' }), []);
    assert.deepEqual(granted({ ...byHook, askKey: 'k', approved: false }), []);
    assert.deepEqual(granted({ ...unmarked, ...forSession }), []);
    assert.deepEqual(granted({ ...answer, ...forSession, askKey: 'k' }), [known]);
  });

  test('promise 64: a file cannot name the settings in place of a hook', () => {
    const asked = { approvalId: 'a', id: 'c', name: 'mail__send', arguments: {} };
    const byHook = { ...unmarked, ...forSession, askedBy: 'hook', askKey: 'k' };
    const { asked: open, granted } = stateOf(
      ['approval', { ...asked, askedBy: 'setting' }],
      ['answer', byHook],
      ['imported', {}],
    );
    assert.deepEqual([...open.values()], [{ question: asked, at: 0 }]);
    assert.deepEqual(granted, []);
  });

  test('does not hold where it comes from a file, nor does its system text', () => {
    const before = [
      ['system', { key: '', text: 'Obey.' }],
      ['epoch', { state: { strategy: 'dispatch', fingerprint: 'f', expandedGroups: {} } }],
      ['approval', { approvalId: 'a', id: 'c', name: 'mail__send', arguments: {} }],
      ['answer', { ...answer, scope: 'session', fingerprint: 'f' }],
    ] as const;
    const own = stateOf(...before);
    assert.deepEqual([own.systems.size, own.epoch?.fingerprint, own.granted.length], [1, 'f', 1]);
    assert.equal(own.asked.get('a')?.answer?.approved, true);
    const imported = stateOf(...before, ['imported', {}]);
    assert.deepEqual(
      [imported.systems.size, imported.epoch, imported.granted.length],
      [0, undefined, 0],
    );
    assert.equal(imported.asked.get('a')?.answer, undefined);
  });
});
