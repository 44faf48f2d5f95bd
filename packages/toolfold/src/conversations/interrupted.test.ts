import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '@toolfold/agent/internal/sessions/store.ts';
import { sessionState } from '../stored-sessions/found-sessions.ts';
import { readTranscript } from '../stored-sessions/transcript.ts';
import { isInterrupted } from './remote-questions.ts';

const turn = (how: string) => ({ kind: 'turn', body: { number: 1, how } });
const end = (reason: string) => ({ kind: 'event', body: { event: { type: 'end', reason } } });

/** Whether a session with these entries can go on, and what the lists say of it. */
function of(...parts: readonly object[]): readonly unknown[] {
  const entries = parts.map((part, at) => ({ at, seq: at + 1, ...part })) as unknown as Entry[];
  return [isInterrupted(entries), sessionState(readTranscript(entries), undefined).kind];
}

test('a turn that was killed can go on, one that has ended cannot', () => {
  assert.deepEqual(of(turn('send')), [true, 'interrupted']);
  assert.deepEqual(of(turn('send'), end('done')), [false, 'ended']);
  assert.deepEqual(of(turn('send'), end('done'), turn('resume')), [true, 'interrupted']);
});

test('a compaction that was killed leaves the turn before as it was', () => {
  const done = [turn('send'), end('done')];
  assert.deepEqual(of(...done, turn('compact')), [false, 'ended']);
  assert.deepEqual(of(...done, turn('compact'), end('done')), [false, 'ended']);
  assert.deepEqual(of(turn('send'), turn('compact')), [true, 'interrupted']);
});
