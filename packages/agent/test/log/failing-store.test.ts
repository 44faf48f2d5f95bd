// test: slow
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { everyValue, isQuick, product } from '@toolfold/testing/test/combinations.test-support.ts';
import { plainValue } from '../../src/entries/plain.ts';
import type { AgentEvent } from '../../src/events/events.ts';
import { memoryStore } from '../../src/sessions.ts';
import { assertHeld, collect, ended } from '../agent.test-support.ts';
import { taskIn } from '../subagents/team.test-support.ts';
import { free } from './dying-store.test-support.ts';
import {
  agentOn,
  assertOrder,
  FAILURES,
  type Failure,
  failing,
  nextTurn,
  SECRET,
  script,
} from './failing-store.test-support.ts';
import { assertOnce, type Done } from './session-talk.test-support.ts';

/** Each append fails in a trial of its own with TOOLFOLD_TEST_FULL, else one of so many. */
const STEP = process.env.TOOLFOLD_TEST_FULL === undefined ? 11 : 1;

/** How one trial goes: what fails, whether the app asks in the turn, and who goes on. */
type Case = {
  readonly failure: Failure;
  readonly asks: boolean;
  readonly by: 'same' | 'other';
};

const CASES: readonly Case[] = product({
  failure: FAILURES,
  asks: [true, false],
  by: ['same', 'other'] as const,
});

/** Runs a conversation whose append number `at` fails. Resolves with whether there was no such append. */
async function trial(at: number, { failure, asks, by }: Case): Promise<boolean> {
  const done: Done = [];
  const kept = memoryStore();
  const store = failing(kept, at, failure);
  await using server = await startModelServer({ script });
  const scene = { server, done, asks };
  let agent = await agentOn(store, scene);
  const known = new Set<string>();
  let turn: AsyncIterable<AgentEvent> = agent.send('Go.');
  let isChanged = false;
  const say: string[] = [];
  for (let n = 0; ; n++) {
    assert.ok(n < 8, `no end: ${say}`);
    const events = await collect(turn);
    assertOrder(events, known);
    const end = ended(events);
    say.push(`${end.reason}:${end.code ?? ''}`);
    for (const { raw } of server.requests) assert.ok(!raw.includes(SECRET), 'secret');
    if (end.reason !== 'error') {
      const fresh = await agentOn(kept, scene);
      assert.deepEqual(plainValue(fresh.messages), plainValue(agent.messages), 'fresh');
      assert.deepEqual(fresh.pending, agent.pending, 'pending');
      assert.deepEqual(await fresh.unknown(), await agent.unknown(), 'unknown');
    }
    if (end.reason === 'done') break;
    store.heal();
    if (end.reason === 'error' && by === 'other' && !isChanged) {
      isChanged = true;
      await free(kept);
      agent = await agentOn(kept, scene);
    }
    turn = nextTurn(agent);
  }
  assertOnce(done);
  assertHeld({ ...server, requests: server.requests.filter((one) => taskIn(one) === undefined) });
  return !store.hasFailed();
}

describe('a store that fails at any append', () => {
  for (const { failure, asks, by } of isQuick ? everyValue(CASES) : CASES)
    test(`${failure}, ${asks ? 'asks' : 'stops for approvals'}, continued by the ${by} agent`, {
      timeout: 60_000,
    }, async () => {
      const bad: string[] = [];
      for (let at = 1; ; at += STEP) {
        try {
          if (await trial(at, { failure, asks, by })) break;
        } catch (error) {
          bad.push(`at ${at}: ${error}`);
          if (bad.length > 2) break;
        }
      }
      assert.deepEqual(bad, []);
    });
});
