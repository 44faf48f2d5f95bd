import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ENDPOINTS,
  type Endpoint,
  NATIVE_ENDPOINTS,
  type NativeEndpoint,
} from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { ownTools } from '@toolfold/ai-sdk/test/folds.test-support.ts';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { tool } from 'ai';
import { z } from 'zod';
import type { AgentEvent } from '../../src/events/events.ts';
import { createSubagents } from '../../src/tasks/tool.ts';
import { assertHeld, begin, collect, ended } from '../agent.test-support.ts';
import {
  endsIn,
  innerEvents,
  reportIn,
  scripted,
  send,
  taskIn,
  tasks,
  team,
} from './team.test-support.ts';
import { until } from './until.test-support.ts';

const { call } = DISPATCH;
const done: Reply = { text: 'All done.' };
const bug = { title: 'bug' };
const never = () => new Promise<never>(() => {});

/** The result of the parent's call in its next request. */
const shownIn = (server: { readonly requests: readonly { readonly raw: string }[] }) =>
  server.requests.at(-1)?.raw ?? '';

describe('cancelling', () => {
  test('promise 45: the parent cancels all: finished results are kept, and nothing continues to run', async () => {
    const working: string[] = [];
    const script = scripted([send(tasks(6), { concurrency: 3 }), done], ({ task, step }) => {
      if (task === 'task 1') return { text: 'I was quick.' };
      return step === 0 ? { calls: [{ name: 'slow', arguments: { id: task } }] } : { text: 'No.' };
    });
    await using server = await startModelServer({ script });
    const controller = new AbortController();
    const slow = tool({
      inputSchema: z.object({ id: z.string() }),
      execute: async ({ id }, { abortSignal }) => {
        working.push(id);
        const aborted = new Promise((resolve) => abortSignal?.addEventListener('abort', resolve));
        if (working.length === 3) controller.abort();
        await aborted;
        // This work reacts to the signal, but its cleanup takes long.
        for (let n = 0; n < 20; n++) await new Promise(setImmediate);
        working.splice(working.indexOf(id), 1);
      },
    });
    const subagents = createSubagents();
    const tools = { ...ownTools([]), slow, ...subagents.tools };
    const { talk } = begin(server, { fold: { tools }, agent: { subagents } });
    const events = await collect(talk.send('Go.', { signal: controller.signal }));
    assert.equal(ended(events).reason, 'cancelled');
    assert.deepEqual(working, []);
    assert.deepEqual(talk.subagents, []);
    const { t1, ...others } = endsIn(events);
    assert.equal(t1, 'done');
    assert.deepEqual(new Set(Object.values(others)), new Set(['cancelled']));
    assert.equal(Object.keys(others).length, 5);
    const requests = server.requests.length;
    // The next turn shows the results.
    assert.equal(ended(await collect(talk.send('Go on.'))).reason, 'done');
    assert.equal(server.requests.length, requests + 1);
    assert.match(shownIn(server), /I was quick/);
    assert.match(shownIn(server), /cancelled/);
    assertHeld({ ...server, requests: server.requests.filter((r) => taskIn(r) === undefined) });
  });

  const endpoints: readonly (Endpoint & Partial<NativeEndpoint>)[] = [
    ...ENDPOINTS,
    ...NATIVE_ENDPOINTS,
  ];
  for (const endpoint of endpoints) {
    test(`promise 45: on ${endpoint.name} the conversation continues afterwards, and its prefix holds`, async () => {
      const controller = new AbortController();
      const script = scripted(
        [send(tasks(1), {}, 'call_a'), done, send(tasks(3), {}, 'call_b'), done],
        ({ task }) => {
          if (task !== 'task 3') return { text: `Did ${task}.` };
          controller.abort();
          return { hold: never() };
        },
      );
      await using server = await startModelServer({ script });
      const { capabilities, settings } = endpoint;
      const { talk } = team(
        server,
        {},
        {
          endpoint,
          fold: capabilities ? { strategy: 'native', capabilities } : {},
          agent: { settings: { maxRetries: 0, ...settings } },
        },
      );
      assert.equal(ended(await collect(talk.send('Go.'))).reason, 'done');
      const events = await collect(talk.send('More.', { signal: controller.signal }));
      assert.equal(ended(events).reason, 'cancelled');
      assert.equal(endsIn(events).t3, 'cancelled');
      assert.equal(ended(await collect(talk.send('Go on.'))).reason, 'done');
      assert.match(shownIn(server), /Did task 1.*Go on\./);
      assertHeld({ ...server, requests: server.requests.filter((r) => taskIn(r) === undefined) });
    });
  }

  test('promise 45: leaving the loop early also cancels the children', async () => {
    const script = scripted([send(tasks(2)), done], () => ({ hold: never() }));
    await using server = await startModelServer({ script });
    const { talk } = team(server);
    for await (const event of talk.send('Go.')) if (event.type === 'subagent') break;
    assert.deepEqual(talk.subagents, []);
    assert.equal(ended(await collect(talk.send('Go on.'))).reason, 'done');
    assert.match(shownIn(server), /cancelled/);
  });

  test('one child only: its result is cancelled, and the others and the turn continue', async () => {
    const script = scripted([send(tasks(3)), done], ({ task }) =>
      task === 'task 2' ? { text: 'Part', hold: never() } : { text: 'Ok.' },
    );
    await using server = await startModelServer({ script });
    const { talk } = team(server);
    const events: AgentEvent[] = [];
    const cancelled: Promise<boolean>[] = [];
    for await (const event of talk.send('Go.')) {
      events.push(event);
      const isIt =
        event.type === 'subagent' && event.task === 't2' && event.event.type === 'request';
      if (isIt) cancelled.push(talk.cancelSubagent(event.child), talk.cancelSubagent('nobody'));
    }
    assert.deepEqual(await Promise.all(cancelled), [true, false]);
    assert.deepEqual(endsIn(events), { t1: 'done', t2: 'cancelled', t3: 'done' });
    assert.equal(ended(events).reason, 'done');
    assert.deepEqual(
      reportIn(events)?.results.map(({ status }) => status),
      ['done', 'cancelled', 'done'],
    );
  });

  test('an open question ends with its child', async () => {
    const script = scripted([send(tasks(2)), done], ({ step }) =>
      step === 0 ? { calls: [call('github__create_issue', bug)] } : { text: 'Done.' },
    );
    await using server = await startModelServer({ script });
    const gone: (string | undefined)[] = [];
    let agent: ReturnType<typeof team>['talk'] | undefined;
    const ask = ({ subagent, signal }: { subagent?: string; signal?: AbortSignal }) => {
      if (subagent === 't2') return Promise.resolve({ approved: true });
      signal?.addEventListener('abort', () => gone.push(subagent));
      void agent?.cancelSubagent('toolu_team/t1');
      return never();
    };
    const { talk, runs } = team(server, {}, { agent: { approvals: { ask } } });
    agent = talk;
    const events = await collect(talk.send('Go.'));
    assert.deepEqual(endsIn(events), { t1: 'cancelled', t2: 'done' });
    assert.deepEqual(gone, ['t1']);
    assert.equal(runs.length, 1);
  });

  test('a tool that ignores the signal is named in a warning, and the turn ends', {
    timeout: 60_000,
  }, async (context) => {
    const script = scripted([send(tasks(1)), done], () => ({
      calls: [{ name: 'deaf', arguments: {} }],
    }));
    await using server = await startModelServer({ script });
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const controller = new AbortController();
    const release = Promise.withResolvers<void>();
    const deaf = tool({
      inputSchema: z.object({}),
      execute: async () => {
        controller.abort();
        await release.promise;
      },
    });
    const subagents = createSubagents();
    const { talk } = begin(server, {
      fold: { tools: { ...ownTools([]), deaf, ...subagents.tools } },
      agent: { subagents },
    });
    const turn = collect(talk.send('Go.', { signal: controller.signal }));
    await until(context, () => controller.signal.aborted);
    const isOver = () => talk.subagents.length === 0;
    await until(context, isOver, () => context.mock.timers.tick(100));
    const events = await turn;
    release.resolve();
    assert.equal(ended(events).reason, 'cancelled');
    const warned = events.some(
      ({ type, ...event }) =>
        type === 'subagent' && JSON.stringify(event).includes('deaf is still running'),
    );
    assert.ok(warned, JSON.stringify(events.slice(-4)));
  });
});

describe('children of children', () => {
  const nested = (): Parameters<typeof scripted>[1] => (asked) => {
    const { task, step } = asked;
    if (task !== 'lead' || step > 0) return { text: `Answer of ${task}.` };
    return send([{ id: 'x', task: 'leaf' }], {}, 'toolu_inner');
  };

  test('they exist only if allowed, and only to the allowed depth', async () => {
    const script = () => scripted([send([{ id: 'a', task: 'lead' }]), done], nested());
    for (const depth of [1, 2]) {
      await using server = await startModelServer({ script: script(), strict: false });
      const { talk } = team(server, { depth });
      const events = await collect(talk.send('Go.'));
      const leaf = server.requests.find((request) => taskIn(request) === 'leaf');
      assert.equal(leaf !== undefined, depth === 2);
      if (leaf) assert.ok(!JSON.stringify(leaf.body.tools).includes('"subagents"'));
      const children = events.flatMap((event) =>
        event.type === 'subagent' && event.event.type === 'subagent' ? [event.event.child] : [],
      );
      assert.deepEqual([...new Set(children)], depth === 2 ? ['toolu_team/a/toolu_inner/x'] : []);
      assert.deepEqual(endsIn(events), { a: 'done' });
    }
  });

  test('one of them is cancelled by its name: its result says so, and its parent continues', async () => {
    const leaves = ['x', 'y'].map((id) => ({ id, task: `leaf ${id}` }));
    const script = scripted([send([{ id: 'a', task: 'lead' }]), done], ({ task, step }) => {
      if (task === 'lead' && step === 0) return send(leaves, {}, 'toolu_inner');
      return task === 'leaf x' ? { text: 'Part', hold: never() } : { text: `Answer of ${task}.` };
    });
    await using server = await startModelServer({ script });
    const { talk } = team(server, { depth: 2 });
    const leaf = 'toolu_team/a/toolu_inner/x';
    const events: AgentEvent[] = [];
    const cancelled: Promise<boolean>[] = [];
    for await (const event of talk.send('Go.')) {
      events.push(event);
      const inner = event.type === 'subagent' && event.event.type === 'subagent' && event.event;
      if (inner && inner.child === leaf && inner.event.type === 'request')
        cancelled.push(talk.cancelSubagent(leaf), talk.cancelSubagent(`${leaf}/nobody`));
    }
    assert.deepEqual(await Promise.all(cancelled), [true, false]);
    assert.deepEqual(endsIn(innerEvents(events)), { x: 'cancelled', y: 'done' });
    assert.deepEqual(endsIn(events), { a: 'done' });
    const lead = server.requests.findLast((request) => taskIn(request) === 'lead');
    assert.match(lead?.raw ?? '', /cancelled.*Answer of leaf y/);
    assert.equal(await talk.cancelSubagent(leaf), false);
  });

  test('their questions reach the user with the full task path, and their tokens reach the ledger', async () => {
    const asked: (string | undefined)[] = [];
    const ask = async ({ subagent }: { subagent?: string }) => {
      asked.push(subagent);
      return { approved: true };
    };
    const inner = nested();
    const script = scripted([send([{ id: 'a', task: 'lead' }]), done], (of) =>
      of.task === 'leaf' && of.step === 0
        ? { calls: [call('github__create_issue', bug)] }
        : inner(of),
    );
    await using server = await startModelServer({ script });
    const { talk, runs } = team(server, { depth: 2 }, { agent: { approvals: { ask } } });
    await collect(talk.send('Go.'));
    assert.deepEqual(asked, ['a/x']);
    assert.equal(runs.length, 1);
    assert.equal(talk.spending.subagents.requests, 4);
    assert.equal(talk.spending.total.requests, 6);
  });
});
