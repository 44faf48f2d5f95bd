import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { Pace, Typing } from './pace.ts';

test('keys that came while the process was busy are taken before a question opens', async () => {
  const pace = new Pace(new Typing(), false, () => {});
  const begun = performance.now();
  // The process does nothing else until the time is over. A key that has come is handled next.
  while (performance.now() - begun < 310);
  await later(0);
  assert.equal(pace.phase, 'inert');
  await new Promise(setImmediate);
  assert.equal(pace.phase, 'open');
});
