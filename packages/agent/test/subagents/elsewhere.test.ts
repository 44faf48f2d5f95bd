// test: slow
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { ApprovalRequest } from '../../src/events/user-requests.ts';
import type { Engine } from '../../src/tasks/engine.ts';
import { collect, ended } from '../agent.test-support.ts';
import type { FromThread, ToThread } from './elsewhere.test-support.ts';
import { endsIn, innerEvents, reportIn, scripted, send, tasks, team } from './team.test-support.ts';
import { until } from './until.test-support.ts';

const { call } = DISPATCH;
const done: Reply = { text: 'All done.' };

/** An engine whose children run in a worker thread. All messages are lines of JSON. */
function threadEngine(thread: Worker): Engine {
  let runs = 0;
  return {
    start(batch, onUpdate) {
      const run = ++runs;
      const tell = (message: ToThread['message']) =>
        thread.postMessage(JSON.stringify({ run, message }));
      const { promise: finished, resolve, reject } = Promise.withResolvers<void>();
      const gone = () => reject(new Error('the thread has gone'));
      const hear = (line: string) => {
        const { run: of, message } = JSON.parse(line) as FromThread;
        if (of !== run) return;
        if (message.type !== 'finished') return onUpdate(message);
        thread.off('message', hear).off('exit', gone);
        resolve();
      };
      thread.on('message', hear).once('exit', gone);
      tell({ type: 'start', batch });
      return { finished, send: tell };
    },
  };
}

function startThread(context: TestContext, server: ModelServer, asks = false): Worker {
  const program = new URL('./elsewhere.test-support.ts', import.meta.url);
  const workerData = { baseUrl: server.baseUrl('anthropic'), asks };
  const thread = new Worker(program, { workerData });
  context.after(() => thread.terminate());
  return thread;
}

describe('an engine in another thread', () => {
  test('works with tasks, questions, answers, progress and results as JSON', async (context) => {
    const script = scripted([send(tasks(2)), done], ({ task, step }) =>
      step === 0
        ? { calls: [call('github__create_issue', { title: task })] }
        : { text: `Did ${task}.` },
    );
    await using server = await startModelServer({ script });
    const thread = startThread(context, server);
    const asked: (string | undefined)[] = [];
    const ask = async ({ subagent }: { subagent?: string }) => {
      asked.push(subagent);
      return { approved: true };
    };
    const engine = threadEngine(thread);
    const { talk } = team(server, { engine }, { agent: { approvals: { ask } } });
    const events = await collect(talk.send('Go.'));
    assert.deepEqual(
      reportIn(events)?.results.map(({ answer }) => answer),
      ['Did task 1.', 'Did task 2.'],
    );
    assert.deepEqual(asked.sort(), ['t1', 't2']);
    assert.equal(talk.spending.subagents.requests, 4);
    assert.ok(events.some((event) => event.type === 'subagent' && event.event.type === 'result'));
  });

  test('promise 64: a question of a hook there is answered by the user or nobody', async (context) => {
    for (const answer of [undefined, { approved: false }, { approved: true }]) {
      const script = scripted([send(tasks(1)), done], ({ step }) =>
        step === 0
          ? { calls: [call('github__create_issue', { title: 'bug' })] }
          : { text: 'Done.' },
      );
      await using server = await startModelServer({ script });
      const asked: ApprovalRequest[] = [];
      const ask = async (request: ApprovalRequest) => {
        asked.push(request);
        return answer ?? { approved: false };
      };
      const approvals = {
        mode: 'never' as const,
        allow: ['github__*'],
        ...(answer ? { ask } : {}),
      };
      const engine = threadEngine(startThread(context, server, true));
      const { talk } = team(server, { engine }, { agent: { approvals } });
      const events = await collect(talk.send('Go.'));
      const marks = asked.map(({ askedBy, subagent }) => [askedBy, subagent]);
      assert.deepEqual(marks, answer ? [['hook', 't1']] : []);
      const ran = innerEvents(events).filter(({ type }) => type === 'result');
      assert.equal(ran.length, answer?.approved === true ? 1 : 0);
    }
  });

  test('cancels children there', async (context) => {
    const controller = new AbortController();
    const script = scripted([send(tasks(2)), done], () => {
      controller.abort();
      return { hold: new Promise(() => {}) };
    });
    await using server = await startModelServer({ script });
    const thread = startThread(context, server);
    const { talk } = team(server, { engine: threadEngine(thread) });
    const events = await collect(talk.send('Go.', { signal: controller.signal }));
    assert.equal(ended(events).reason, 'cancelled');
    assert.deepEqual(endsIn(events), { t1: 'cancelled', t2: 'cancelled' });
  });

  test('keeps the batches of two parallel calls apart', { timeout: 60_000 }, async (context) => {
    const first = send(
      [
        { id: 'endless', task: 'endless' },
        { id: 'last', task: 'last' },
      ],
      {},
      'one',
    );
    const second = send([{ id: 'quick', task: 'quick' }], {}, 'two');
    const calls = [first, second].flatMap((reply) => reply.calls ?? []);
    const gate = Promise.withResolvers<void>();
    const script = scripted([{ calls }, done], ({ task }) => {
      if (task === 'quick') return { text: 'Quick.' };
      return { text: 'Late.', hold: task === 'last' ? gate.promise : new Promise(() => {}) };
    });
    await using server = await startModelServer({ script });
    const { talk } = team(server, { engine: threadEngine(startThread(context, server)) });
    const events = [];
    for await (const event of talk.send('Go.', { signal: context.signal })) {
      events.push(event);
      // The second batch has finished, so later updates and questions are of the first.
      if (event.type !== 'result' || event.id !== 'two') continue;
      assert.equal(await talk.cancelSubagent('one/endless'), true);
      gate.resolve();
    }
    assert.deepEqual(endsIn(events), { quick: 'done', endless: 'cancelled', last: 'done' });
  });

  test('is given up if it does not end cancelled children', {
    timeout: 60_000,
  }, async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const controller = new AbortController();
    const script = scripted([send(tasks(2)), done], () => assert.fail('started'));
    await using server = await startModelServer({ script });
    const deaf: Engine = {
      start: () => {
        setImmediate(() => controller.abort());
        return { send: () => {}, finished: new Promise(() => {}) };
      },
    };
    const { talk } = team(server, { engine: deaf });
    let isOver = false;
    const turn = collect(talk.send('Go.', { signal: controller.signal })).finally(() => {
      isOver = true;
    });
    await until(context, () => controller.signal.aborted);
    await until(
      context,
      () => isOver,
      () => context.mock.timers.tick(500),
    );
    const events = await turn;
    assert.equal(ended(events).reason, 'cancelled');
    assert.deepEqual(endsIn(events), { t1: 'failed', t2: 'failed' });
    assert.deepEqual(talk.subagents, []);
  });

  test('that disconnects fails its tasks, and the turn continues', async (context) => {
    const gate = Promise.withResolvers<void>();
    const script = scripted([send(tasks(2)), done], ({ task }) => {
      if (task === 'task 1') return { text: 'In time.' };
      gate.resolve();
      return { hold: new Promise(() => {}) };
    });
    await using server = await startModelServer({ script });
    const thread = startThread(context, server);
    await once(thread, 'online');
    const { talk } = team(server, { engine: threadEngine(thread) });
    const events = [];
    for await (const event of talk.send('Go.')) {
      events.push(event);
      if (event.type !== 'subagent-end' || event.task !== 't1') continue;
      await gate.promise;
      await thread.terminate();
    }
    assert.deepEqual(endsIn(events), { t1: 'done', t2: 'failed' });
    assert.match(reportIn(events)?.results[1]?.error ?? '', /thread has gone/);
    assert.equal(ended(events).reason, 'done');
  });
});
