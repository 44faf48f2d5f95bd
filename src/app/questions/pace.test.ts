import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { Pace, Typing } from './pace.ts';

test('keys that came while the process was busy are taken before a question opens', async () => {
  const pace = new Pace(new Typing(), false, () => {});
  // It is due behind the time of the question, in the same round of timers. A key that has come is handled next.
  const due = later(305);
  const begun = performance.now();
  // The process does nothing else until both are over.
  while (performance.now() - begun < 330);
  await due;
  assert.equal(pace.phase, 'inert');
  await new Promise(setImmediate);
  assert.equal(pace.phase, 'open');
});
