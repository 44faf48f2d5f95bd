// test: slow
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { ownTools } from '@toolfold/ai-sdk/test/folds.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import { tool } from 'ai';
import { z } from 'zod';
import type { AgentEvent } from '../../src/events/events.ts';
import type { Agent } from '../../src/options/options.ts';
import type { BatchRun, Engine, OnUpdate } from '../../src/tasks/engine.ts';
import { createSubagents, type SubagentOptions } from '../../src/tasks/tool.ts';
import { assertHeld, begin, collect, ended } from '../agent.test-support.ts';
import { endsIn, reportIn, scripted, send, taskIn, tasks, team } from './team.test-support.ts';
import { until } from './until.test-support.ts';

const done: Reply = { text: 'All done.' };
const LIMITED = { timeout: 60_000 };
const never = () => new Promise<never>(() => {});
/** Whether a turn has run as far as possible ahead of a reader that stopped at this event. */
function isAhead({ type }: AgentEvent, { spending, subagents }: Agent): boolean {
  if (type === 'call') return spending.own.requests === 2;
  const isAmong = type === 'text' || type === 'usage';
  return !isAmong || (spending.subagents.requests > 0 && subagents.length === 0);
}

const typesOf = (events: readonly AgentEvent[]) => events.map(({ type }) => type);

const STOPS = combinations({
  endpoint: ENDPOINTS,
  leaves: ['subagent', 'subagent-end', 'result', 'second request'],
  isAbort: [false, true],
  isHeld: [false, true],
});

describe(`a consumer that is slow, ${selection}`, () => {
  for (const endpoint of ENDPOINTS) {
    test(
      `promise 45: that leaves or cancels bricks no conversation on ${endpoint.name}`,
      LIMITED,
      async (context) => {
        const stops = STOPS.filter((stop) => stop.endpoint === endpoint);
        for (const { leaves, isAbort, isHeld } of stops) {
          // By then the next answer has arrived unread, or was requested and does not arrive.
          const second = isHeld ? { hold: never() } : done;
          const script = scripted([send(tasks(2)), second, done], () => ({ text: 'Ok.' }));
          await using server = await startModelServer({ script });
          const { talk } = team(server, {}, { endpoint });
          const controller = new AbortController();
          const events: AgentEvent[] = [];
          for await (const event of talk.send('Go.', { signal: controller.signal })) {
            events.push(event);
            const isAsked = () => isHeld === true && server.requests.length === 4;
            await until(context, () => isAhead(event, talk) || isAsked());
            const requests = events.filter(({ type }) => type === 'request').length;
            const isIt = leaves === event.type || (leaves === 'second request' && requests === 2);
            if (isIt && isAbort) controller.abort();
            else if (isIt) break;
          }
          assert.deepEqual(talk.subagents, []);
          const next = ended(await collect(talk.send('Go on.')));
          assert.equal(next.reason, 'done', `${leaves}: ${next.error}`);
          const own = server.requests.filter((request) => taskIn(request) === undefined);
          assertHeld({ ...server, requests: own });
        }
      },
    );
  }

  test(
    'promise 45: that leaves before it has read of a call forgets nothing of what that did',
    LIMITED,
    async (context) => {
      const script = scripted([{ text: 'Splitting.', ...send(tasks(1)) }, done], () => ({
        text: 'FOUND IT',
      }));
      await using server = await startModelServer({ script });
      const { talk } = team(server);
      for await (const event of talk.send('Go.')) {
        if (event.type !== 'text') continue;
        await until(context, () => isAhead(event, talk));
        break;
      }
      assert.match(JSON.stringify(talk.messages), /FOUND IT/);
      assert.equal(ended(await collect(talk.send('Go on.'))).reason, 'done');
    },
  );

  test(
    'is told of children behind the call they work for, of a request behind what it answers',
    LIMITED,
    async (context) => {
      const script = scripted([{ text: 'Splitting.', ...send(tasks(1)) }, done], () => ({
        text: 'Ok.',
      }));
      await using server = await startModelServer({ script });
      const { talk } = team(server);
      const events: AgentEvent[] = [];
      for await (const event of talk.send('Go.')) {
        events.push(event);
        await until(context, () => isAhead(event, talk));
      }
      const types = typesOf(events).filter((type) => type !== 'usage');
      const first = (type: string) => types.indexOf(type as never);
      assert.ok(first('call') > first('text') && first('subagent') > first('call'), types.join());
      assert.ok(first('result') > first('subagent-end'));
      assert.ok(types.lastIndexOf('request') > first('result'));
      assert.equal(talk.spending.own.requests, 2);
    },
  );
});

describe('what is hooked, counted and kept of children', () => {
  test('hooks see a report that nobody has read', async () => {
    const controller = new AbortController();
    const script = scripted([send(tasks(2)), done], ({ task }) => {
      if (task === 'task 1') return { text: 'SECRET' };
      setImmediate(() => controller.abort());
      return { hold: never() };
    });
    await using server = await startModelServer({ script });
    const hooks = { afterToolCall: () => ({ output: 'redacted' }) };
    const { talk } = team(server, { hooks: {} }, { agent: { hooks } });
    await collect(talk.send('Go.', { signal: controller.signal }));
    assert.match(JSON.stringify(talk.messages), /redacted/);
    assert.doesNotMatch(JSON.stringify(talk.messages), /SECRET/);
  });

  test('promise 48: a child that floods is paid for like any other', async () => {
    const flood = { text: 'x'.repeat(1_100_000), chunkSize: 50_000 };
    const script = scripted([send(tasks(3), { concurrency: 1 }), done], () => flood);
    await using server = await startModelServer({ script });
    const { talk } = team(server, { budget: { tokens: 1_000 } });
    const events = await collect(talk.send('Go.'));
    assert.deepEqual(endsIn(events), { t1: 'incomplete', t2: 'not_started', t3: 'not_started' });
    assert.ok(talk.spending.subagents.output > 100_000);
  });

  test('promise 48: an answer counts before its calls have run', async () => {
    const release = Promise.withResolvers<void>();
    const slow = tool({ inputSchema: z.object({}), execute: () => release.promise });
    const script = scripted([send(tasks(3), { concurrency: 2 }), done], ({ task, step }) =>
      task === 'task 1' && step === 0 ? { calls: [{ name: 'slow', arguments: {} }] } : done,
    );
    await using server = await startModelServer({ script });
    const subagents = createSubagents({ budget: { tokens: 700 } });
    const { talk } = begin(server, {
      fold: { tools: { ...ownTools([]), slow, ...subagents.tools } },
      agent: { subagents },
    });
    const events: AgentEvent[] = [];
    for await (const event of talk.send('Go.')) {
      events.push(event);
      if (event.type === 'subagent-end' && event.task !== 't1') release.resolve();
    }
    assert.deepEqual(endsIn(events), { t1: 'done', t2: 'done', t3: 'not_started' });
  });

  test('nothing of the parent’s conversation at its provider is theirs', async () => {
    const script = scripted([send(tasks(1)), done], () => ({ text: 'Ok.' }));
    await using server = await startModelServer({ script, strict: false });
    const openai = { conversation: 'conv_parent', user: 'somebody' };
    const [, responses] = ENDPOINTS;
    const { talk } = team(
      server,
      {},
      {
        ...(responses ? { endpoint: responses } : {}),
        agent: { settings: { maxRetries: 0, providerOptions: { openai } } },
      },
    );
    await collect(talk.send('Go.'));
    const [own, child] = server.requests;
    assert.match(own?.raw ?? '', /conv_parent/);
    assert.doesNotMatch(child?.raw ?? assert.fail(), /conv_parent/);
    assert.match(child?.raw ?? '', /somebody/);
  });

  test('each child has a unique name, also if the model reuses call ids', async () => {
    const script = scripted([send(tasks(1), {}, 'c'), send(tasks(1), {}, 'c'), done], () => done);
    await using server = await startModelServer({ script, strict: false });
    const { talk } = team(server);
    const events = await collect(talk.send('Go.'));
    const children = events.flatMap((event) =>
      event.type === 'subagent-end' ? [event.child] : [],
    );
    assert.deepEqual(children, ['c/t1', 'c_2/t1']);
  });
});

describe('an engine that violates its contract', () => {
  /** An engine that sends the updates of `work` and ignores commands. */
  const engineOf = (
    work: (onUpdate: OnUpdate, children: readonly string[]) => Promise<void>,
    send: BatchRun['send'] = () => {},
  ): Engine => ({
    start: ({ tasks: given }, onUpdate) => ({
      send,
      finished: work(
        onUpdate,
        given.map(({ child }) => child),
      ),
    }),
  });
  const turnWith = async (engine: Engine, more: SubagentOptions = {}, signal?: AbortSignal) => {
    await using server = await startModelServer({
      script: scripted([send(tasks(2)), done], () => assert.fail('started')),
    });
    const { talk } = team(server, { ...more, engine });
    const events = await collect(talk.send('Go.', signal ? { signal } : {}));
    assert.deepEqual(talk.subagents, []);
    return events;
  };
  const broken = () => {
    throw new Error('the queue is gone');
  };

  test('fails its tasks: malformed, foreign, late or missing results', async () => {
    const events = await turnWith(
      engineOf(async (onUpdate, [first = '', second = '']) => {
        onUpdate({
          type: 'result',
          result: { child: first, id: 'other', status: 'splendid' } as never,
        });
        onUpdate({
          type: 'result',
          result: { child: 'nobody', id: 'x', status: 'done', text: '' },
        });
        onUpdate({ type: 'result', result: undefined as never });
        onUpdate({ type: 'progress', child: first, event: { type: 'text', text: 'late' } });
        assert.notEqual(second, '');
      }),
    );
    assert.deepEqual(endsIn(events), { t1: 'failed', t2: 'failed' });
    const [one, two] = reportIn(events)?.results ?? [];
    assert.match(one?.error ?? '', /invalid result/);
    assert.match(two?.error ?? '', /without a result/);
    assert.equal(ended(events).reason, 'done');
  });

  test('cannot end the process by throwing from `send`', async () => {
    const controller = new AbortController();
    const cancelled = await turnWith(
      engineOf(async () => {
        setImmediate(() => controller.abort());
        await never();
      }, broken),
      {},
      controller.signal,
    );
    assert.equal(ended(cancelled).reason, 'cancelled');
    assert.match(reportIn(cancelled)?.results[0]?.error ?? '', /the queue is gone/);
    const asked = await turnWith(
      engineOf(async (onUpdate, [first = '']) => {
        const question = { id: '1', name: 'x', arguments: {} };
        onUpdate({ type: 'question', child: first, question });
        await never();
      }, broken),
    );
    assert.deepEqual(endsIn(asked), { t1: 'failed', t2: 'failed' });
  });

  test('gets `stop` also if the budget is used up before it has started', async () => {
    const stop = Promise.withResolvers<void>();
    const engine: Engine = {
      start: ({ tasks: [first] }, onUpdate) => {
        const usage = { input: 9, cacheRead: 0, cacheWrite: 0, output: 1 };
        onUpdate({
          type: 'progress',
          child: first?.child ?? '',
          event: { type: 'usage', ...usage },
        });
        return {
          send: ({ type }) => type === 'stop' && stop.resolve(),
          finished: stop.promise,
        };
      },
    };
    const events = await turnWith(engine, { budget: { tokens: 10 } });
    assert.deepEqual(endsIn(events), { t1: 'failed', t2: 'failed' });
  });

  test('is given up if it does not settle after the last result', LIMITED, async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const turn = turnWith(
      engineOf(async (onUpdate, children) => {
        for (const child of children)
          onUpdate({ type: 'result', result: { child, id: 'x', status: 'done', text: 'Ok.' } });
        await never();
      }),
    );
    let isOver = false;
    void turn.finally(() => {
      isOver = true;
    });
    await until(
      context,
      () => isOver,
      () => context.mock.timers.tick(100),
    );
    assert.deepEqual(endsIn(await turn), { t1: 'done', t2: 'done' });
  });
});
