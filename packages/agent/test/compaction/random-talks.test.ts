// test: slow
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compactedMessages, planCompaction } from '../../src/compaction/plan.ts';
import { openCalls, pendingIn } from '../../src/state/history.ts';
import { repaired } from '../../src/state/repair.ts';
import { RandomTalk } from '../random-talk.test-support.ts';

test('random conversations of an agent with failures are compacted at any time', async () => {
  let cases = 0;
  for (let seed = 1_001; seed <= 1_015; seed++) {
    const talk = new RandomTalk(seed, (messages) => {
      for (const keep of [1, 30, 120]) {
        const plan = planCompaction(messages, { keep, limit: keep });
        if (!plan) continue;
        cases++;
        const after = compactedMessages(plan, 'What happened.');
        assert.deepEqual(repaired(after).remarks, repaired(messages).remarks, `talk ${seed}`);
        assert.deepEqual(openCalls(after), openCalls(messages), `talk ${seed}`);
        assert.deepEqual(pendingIn(after), pendingIn(messages), `talk ${seed}`);
      }
    });
    await talk.run();
  }
  assert.ok(cases > 100, `${cases}`);
});
