import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { memoryStore } from '../../src/sessions.ts';
import { createSubagents } from '../../src/tasks/tool.ts';
import { collect, ended } from '../agent.test-support.ts';
import { dying, free } from '../log/dying-store.test-support.ts';
import { agentIn, assertOnce, type Done, effectGroup } from '../log/session-talk.test-support.ts';

const NAMES = ['a', 'b', 'c'];

/** The parent starts three subagents. Each of them reads, and then sends one letter. */
function script({ raw }: RecordedRequest): Reply {
  const child = NAMES.findIndex(
    (name) => raw.includes(`Work of ${name}.`) && /# Your task/.test(raw),
  );
  if (child < 0) {
    if (raw.includes('has worked')) return { text: 'All done.' };
    const tasks = NAMES.map((id) => ({ id, task: `Work of ${id}.` }));
    return { calls: [{ name: 'subagents', arguments: { tasks } }] };
  }
  const n = child + 1;
  if (raw.includes(`\\"done\\":\\"send\\"`)) return { text: `${NAMES[child]} has worked.` };
  const step = raw.includes(`\\"done\\":\\"read\\"`) ? 'send' : 'read';
  if (/interrupted/.test(raw)) return { text: `${NAMES[child]} has worked.` };
  return { text: 'Hm.', calls: [DISPATCH.call(`work__${step}`, { n })] };
}

/** Runs until the process ends at entry `at`, and resumes. */
async function trial(at: number): Promise<boolean> {
  const done: Done = [];
  const kept = memoryStore();
  let isDead = false;
  let writes = 0;
  const store = dying(kept, () => {
    if (writes++ >= at) isDead = true;
    return isDead;
  });
  const team = createSubagents();
  await using server = await startModelServer({ script });
  const groupOf = (dies: boolean) =>
    effectGroup(done, () => (dies && isDead ? new Promise<void>(() => {}) : Promise.resolve()));
  const fold = (dies: boolean) => ({
    strategy: 'dispatch' as const,
    groups: [groupOf(dies)],
    tools: { ...team.tools } as never,
  });
  const agent = { subagents: team };
  const first = await agentIn(store, server, { fold: fold(true), agent });
  const ends = collect(first.send('Go.'));
  const isOver = await Promise.race([ends.then(() => true), store.dead.then(() => false)]);
  if (isOver) {
    const events = await ends;
    assert.equal(ended(events).text, 'All done.', JSON.stringify(events.at(-1)));
  } else {
    await free(kept);
    const second = await agentIn(kept, server, { fold: fold(false), agent });
    const turn = second.canResume ? second.resume() : second.send('Go.');
    const events = await collect(turn);
    assert.equal(ended(events).text, 'All done.', `${at}: ${JSON.stringify(events.at(-1))}`);
    const result = JSON.stringify(second.messages);
    for (const name of NAMES) assert.match(result, new RegExp(`${name} has worked`), `at ${at}`);
  }
  assertOnce(done);
  return isOver;
}

describe('subagents of a session', () => {
  const step = process.env.TOOLFOLD_TEST_FULL === '1' ? 1 : 149;
  test('promise 58: go on where an earlier process left them; those that ended keep their answers', async () => {
    for (let at = 0; !(await trial(at)); at += step);
  });
});
