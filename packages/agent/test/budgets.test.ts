import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BRIDGE, DISPATCH, type Dialect } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { resultsOn } from '@toolfold/ai-sdk/test/wire.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { assertHeld, begin, collect, ended } from './agent.test-support.ts';

const GITHUB = 'github__create_issue';
const many = (reply: Reply): Reply[] => Array.from({ length: 450 }, () => reply);
const search: Reply = { calls: [{ name: 'tool_search', arguments: { query: 'create issue' } }] };
const load = (to: Dialect): Reply => ({ calls: [to.load('mcp:github')] });
const work: Reply = { calls: [DISPATCH.call(GITHUB, { title: 'bug' })] };

describe('a model that only loads or searches', () => {
  for (const [what, dialect, reply] of [
    ['searches', BRIDGE, search],
    ['describes', BRIDGE, load(BRIDGE)],
    ['loads', DISPATCH, load(DISPATCH)],
  ] as const)
    test(`one that ${what} for ever is told in one line, then asked to go on, then stopped`, async () => {
      await using server = await startModelServer({ script: many(reply) });
      const { talk } = begin(server, { fold: { strategy: dialect.strategy } });
      const events = await collect(talk.send('Go.'));
      assert.equal(ended(events).reason, 'rounds');
      assert.ok(server.requests.length <= 15, `${server.requests.length}`);
      const [first, second, third, fourth] = resultsOn(server.requests.at(-1) ?? assert.fail());
      // A search does not send a schema again that the messages hold.
      if (what === 'searches') assert.match(second?.text ?? '', /"shown_before"/);
      else assert.equal(second?.text, first?.text);
      assert.match(third?.text ?? '', /^\{"repeated":3,"next":"[^\n]{20,200}"\}$/);
      assert.match(fourth?.text ?? '', /"repeated":4/);
      const budgets = events.filter(({ type }) => type === 'rounds');
      assert.deepEqual(budgets, [{ type: 'rounds', limit: 10, of: 'loads' }]);
      assertHeld(server);
    });

  test('after the notice it may call a tool, and the turn goes on', async () => {
    const script = [...Array.from({ length: 10 }, () => search), work, { text: 'Done.' }];
    await using server = await startModelServer({ script });
    const { talk, runs } = begin(server, { fold: { strategy: 'dispatch' } });
    const events = await collect(talk.send('Go.'));
    assert.deepEqual([runs.length, ended(events).reason], [1, 'done']);
    assertHeld(server);
  });
});

describe('the budgets of a turn', () => {
  test('the last request of a turn is for the answer, and the user can go on', async () => {
    const script = [work, work, { text: 'So far.' }, work, { text: 'The rest.' }];
    await using server = await startModelServer({ script });
    const { talk, runs } = begin(server, {
      fold: { strategy: 'dispatch' },
      agent: { maxRequests: 3 },
    });
    const events = await collect(talk.send('Go.'));
    assert.equal(ended(events).reason, 'rounds');
    assert.equal(ended(events).text, 'So far.');
    assert.match(server.requests[2]?.raw ?? '', /requests of this turn are used up/);
    assert.deepEqual(
      events.filter(({ type }) => type === 'rounds'),
      [{ type: 'rounds', limit: 3, of: 'requests' }],
    );
    assert.equal(ended(await collect(talk.send('Go on.'))).reason, 'done');
    assert.equal(runs.length, 3);
    assertHeld(server);
  });

  test('a model that goes on calling is denied and stopped; nothing is lost', async () => {
    await using server = await startModelServer({ script: many(work) });
    const { talk, runs } = begin(server, {
      fold: { strategy: 'dispatch' },
      agent: { maxRequests: 3 },
    });
    assert.equal(ended(await collect(talk.send('Go.'))).reason, 'rounds');
    assert.deepEqual([server.requests.length, runs.length], [3, 2]);
    await collect(talk.send('Go on.'));
    assert.deepEqual([server.requests.length, runs.length], [6, 4]);
    assertHeld(server);
  });

  test('tokens count from all requests of a turn, and anew in the next one', async () => {
    const script = [work, { text: 'So far.' }, work, { text: 'The rest.' }];
    await using server = await startModelServer({ script });
    const { talk, runs } = begin(server, {
      fold: { strategy: 'dispatch' },
      agent: { maxTokens: 1 },
    });
    const events = await collect(talk.send('Go.'));
    assert.equal(ended(events).reason, 'rounds');
    assert.match(server.requests[1]?.raw ?? '', /tokens of this turn are used up/);
    assert.equal(ended(await collect(talk.send('Go on.'))).reason, 'rounds');
    assert.equal(runs.length, 2);
    assertHeld(server);
  });

  test('by default a turn has 50 requests more than rounds', async () => {
    const script = Array.from({ length: 100 }, (_, at) => (at % 9 === 8 ? work : search));
    await using server = await startModelServer({ script });
    const { talk } = begin(server, { fold: { strategy: 'dispatch' }, agent: { maxRounds: 9 } });
    assert.equal(ended(await collect(talk.send('Go.'))).reason, 'rounds');
    assert.equal(server.requests.length, 59);
  });
});
