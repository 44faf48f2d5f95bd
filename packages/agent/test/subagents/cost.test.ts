import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { AgentEvent } from '../../src/events/events.ts';
import { collect } from '../agent.test-support.ts';
import {
  innerEvents,
  ofChildren,
  reportIn,
  scripted,
  send,
  taskIn,
  tasks,
  team,
} from './team.test-support.ts';

const { call } = DISPATCH;
const done: Reply = { text: 'All done.' };
const never = () => new Promise<never>(() => {});

describe('what subagents cost', () => {
  test('promise 48: counts in the ledger of the parent, in tokens and money, cached ones at their price', async () => {
    const script = scripted([send(tasks(2)), done], ({ step }) =>
      step === 0 ? { calls: [call('github__list_issues', {})] } : { text: 'Done.' },
    );
    await using server = await startModelServer({ script, cache: { minimum: 100 } });
    const models = { 'claude-sonnet-4-5': { price: { input: 10, output: 100 } } };
    const { talk } = team(server, {}, { agent: { models } });
    const events = await collect(talk.send('Go.'));
    const usages = (of: readonly AgentEvent[]) =>
      of.flatMap((event) => (event.type === 'usage' ? [event] : []));
    const inner = innerEvents(events);
    const { own, subagents, total } = talk.spending;
    for (const [spent, told] of [
      [own, usages(events)],
      [subagents, usages(inner)],
    ] as const) {
      assert.equal(spent.requests, told.length);
      assert.equal(
        spent.input,
        told.reduce((sum, { input }) => sum + input, 0),
      );
      const cost = told.reduce((sum, u) => {
        const plain = u.input - u.cacheRead - u.cacheWrite;
        return sum + plain * 10 + u.cacheRead * 1 + u.cacheWrite * 12.5 + u.output * 100;
      }, 0);
      assert.ok(Math.abs(spent.cost - cost / 1e6) < 1e-12);
      assert.ok(spent.cost > 0 && spent.unpriced === 0);
    }
    assert.ok(subagents.cacheRead > 0);
    assert.equal(total.input, own.input + subagents.input);
    const ends = events.flatMap((event) => (event.type === 'subagent-end' ? [event.spent] : []));
    assert.equal(
      ends.reduce((sum, { input }) => sum + input, 0),
      subagents.input,
    );
  });

  test('promise 48: after the budget is used up, running children finish and no others start, also in later calls', async () => {
    const script = scripted(
      [send(tasks(6), { concurrency: 2 }), send(tasks(2), {}, 'again'), done],
      () => ({
        text: 'Done.',
      }),
    );
    await using server = await startModelServer({ script });
    const { talk } = team(server, { budget: { tokens: 1 } });
    const events = await collect(talk.send('Go.'));
    const reports = events.flatMap((event) =>
      event.type === 'result' ? [event.output as NonNullable<ReturnType<typeof reportIn>>] : [],
    );
    assert.deepEqual(
      reports.map(({ summary }) => [summary.done, summary.not_started]),
      [
        [2, 4],
        [0, 2],
      ],
    );
    assert.match(reports[1]?.results[0]?.error ?? '', /budget/);
    assert.equal(ofChildren(server).length, 2);
  });

  test('promise 48: a budget in money is kept, and no child starts if its price is unknown', async () => {
    const script = () =>
      scripted([send(tasks(4), { concurrency: 1 }), done], () => ({ text: 'Done.' }));
    const models = { 'claude-sonnet-4-5': { price: { input: 10, output: 100 } } };
    for (const [cost, count] of [
      [1_000, 4],
      [0.000_001, 1],
    ] as const) {
      await using server = await startModelServer({ script: script() });
      const { talk } = team(server, { budget: { cost } }, { agent: { models } });
      const { summary, results } = reportIn(await collect(talk.send('Go.'))) ?? assert.fail();
      assert.deepEqual([summary.done, summary.not_started], [count, 4 - count]);
      if (count === 1) assert.match(results[3]?.error ?? '', /is used up/);
    }
    await using server = await startModelServer({ script: script() });
    const budget = { cost: 1_000 };
    assert.throws(() => team(server, { budget }), /price/);
    // The model of a child may be known only when the child starts.
    const { talk } = team(server, { budget, model: () => undefined });
    const { summary, results } = reportIn(await collect(talk.send('Go.'))) ?? assert.fail();
    assert.equal(summary.failed, 4);
    assert.match(results[0]?.error ?? '', /price of anthropic.claude-sonnet-4-5 is not known/);
    assert.equal(ofChildren(server).length, 0);
  });

  test('an interrupted request is counted by an estimate and marked as estimated', async () => {
    const script = scripted([send(tasks(1)), done], () => ({ hold: never() }));
    await using server = await startModelServer({ script });
    const { talk } = team(server);
    for await (const event of talk.send('Go.')) {
      if (event.type === 'subagent' && event.event.type === 'request')
        void talk.cancelSubagent(event.child);
    }
    const { subagents } = talk.spending;
    assert.equal(subagents.requests, 1);
    assert.ok(subagents.input > 100);
  });

  test('promise 48: a budget covers children of children and the spending of their parent', async () => {
    const nested = (task: string) =>
      send(
        tasks(8).map(({ id }) => ({ id, task: `${task}/${id}` })),
        { concurrency: 1 },
        task,
      );
    // The child's first answer exceeds the budget, so none of its own children starts.
    const script = scripted([send(tasks(1)), done], ({ task, step }) =>
      step === 0 && !task.includes('/') ? nested(task) : { text: 'Done.' },
    );
    await using server = await startModelServer({ script });
    const { talk } = team(server, { depth: 2, budget: { tokens: 5 } });
    const { results } = reportIn(await collect(talk.send('Go.'))) ?? assert.fail();
    assert.deepEqual(
      results.map(({ status }) => status),
      ['done'],
    );
    const asked = server.requests.map((request) => taskIn(request)?.includes('/'));
    assert.deepEqual(
      asked.filter((isNested) => isNested),
      [],
    );
  });

  test('promise 48: one child that uses up the budget stops the children of another', async () => {
    const gate = Promise.withResolvers<void>();
    const nested = send(
      tasks(8).map(({ id }) => ({ id, task: `nested/${id}` })),
      { concurrency: 1 },
      'n',
    );
    const long = 'word '.repeat(30_000);
    const script = scripted([send(tasks(2)), done], async ({ task, step }) => {
      if (task === 'task 1' && step === 0) return nested;
      if (task === 'nested/t1') await gate.promise;
      return { text: task === 'task 2' ? long : 'Done.' };
    });
    await using server = await startModelServer({ script });
    const { talk } = team(server, { depth: 2, budget: { tokens: 25_000 } });
    const events: AgentEvent[] = [];
    for await (const event of talk.send('Go.')) {
      events.push(event);
      // The other child's answer, which exceeds the rest of the budget, was counted.
      const isOther = event.type === 'subagent-end' && event.task === 't2';
      if (isOther) gate.resolve();
    }
    const inner = innerEvents(events);
    const ends = inner.flatMap((event) => (event.type === 'subagent-end' ? [event.status] : []));
    assert.deepEqual(ends.toSorted(), ['done', ...Array(7).fill('not_started')]);
  });
});
