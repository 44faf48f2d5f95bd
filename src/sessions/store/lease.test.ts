import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGone, isLeaseFree, LEASE_TIME, newOwner } from './lease.ts';

test('when a lease is free', () => {
  const now = 1_700_000_000_000;
  const owner = newOwner();
  const isFreeAfter = (elapsed: number, isOwnerGone = false) =>
    isLeaseFree({ owner, renewedAt: now - elapsed }, now, () => isOwnerGone);
  assert.equal(isLeaseFree({ owner: undefined, renewedAt: now }, now), true);
  assert.equal(isFreeAfter(0), false);
  assert.equal(isFreeAfter(LEASE_TIME - 1), false);
  assert.equal(isFreeAfter(LEASE_TIME), true);
  assert.equal(isFreeAfter(0, true), true);
  // The clock was set back: a little, and a lot.
  assert.equal(isFreeAfter(-LEASE_TIME + 1), false);
  assert.equal(isFreeAfter(-LEASE_TIME), true);
  assert.equal(isFreeAfter(-365 * 24 * 3_600_000), true);
});

test('when an owner is gone', () => {
  const owner = newOwner();
  assert.equal(isGone(owner), false);
  assert.equal(isGone({ ...owner, instance: 'another in this process' }), false);
  assert.equal(isGone({ ...owner, pid: 2 ** 30 }), true);
  assert.equal(isGone({ ...owner, started: '' }), false);
  assert.equal(isGone({ ...owner, started: '', pid: 2 ** 30 }), true);
  // Other hosts can not be looked up.
  assert.equal(isGone({ ...owner, host: 'another.example', pid: 2 ** 30 }), false);
  if (process.platform !== 'linux') return;
  assert.equal(isGone({ ...owner, started: '1' }), true);
  assert.equal(isGone({ ...owner, boot: 'an earlier one' }), true);
});
