import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApprovalRequest } from '../../agent/index.ts';
import { createPermissions } from './permissions.ts';

const call = { id: 'c', name: 'mail__send', arguments: {} };
const CASES: readonly (readonly [ApprovalRequest, readonly string[]])[] = [
  [{ ...call, askedBy: 'setting' }, ['once', 'session', 'reject']],
  [{ ...call, askedBy: 'hook', askKey: 'k' }, ['once', 'session', 'reject']],
  [{ ...call, askedBy: 'hook' }, ['once', 'reject']],
];

test('promise 64: an editor offers the scopes that hold, and no other one is accepted', async () => {
  for (const [request, expected] of CASES)
    for (const chosen of ['once', 'session', 'always', 'reject']) {
      let offered: readonly string[] = [];
      let kinds: readonly string[] = [];
      const { ask } = createPermissions({
        choose: async (_, __, options) => {
          offered = options.map(({ optionId }) => optionId);
          kinds = options.map(({ kind }) => kind);
          return chosen;
        },
        signal: () => new AbortController().signal,
      });
      const { approved, scope } = await ask(request);
      assert.deepEqual(offered, expected);
      assert.equal(new Set(kinds).size, kinds.length);
      const isApproved = chosen !== 'reject' && expected.includes(chosen);
      assert.deepEqual([approved, scope], [isApproved, isApproved ? chosen : undefined]);
    }
});
