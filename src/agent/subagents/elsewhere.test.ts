import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { DISPATCH } from '../../ai-sdk/scenarios.test-support.ts';
import { type Reply, startModelServer } from '../../testing/index.ts';
import { collect, ended } from '../agent.test-support.ts';
import type { ToThread } from './elsewhere.test-support.ts';
import type { Engine, EngineUpdate } from './engine.ts';
import { endsIn, reportIn, scripted, send, tasks, team } from './team.test-support.ts';

const { call } = DISPATCH;
const done: Reply = { text: 'All done.' };

/** An engine whose children live in a thread; nothing passes but lines of JSON. */
function threadEngine(thread: Worker): Engine {
  const tell = (message: ToThread) => thread.postMessage(JSON.stringify(message));
  return {
    start(batch, onUpdate) {
      const { promise: finished, resolve, reject } = Promise.withResolvers<void>();
      thread.on('message', (line: string) => {
        const update = JSON.parse(line) as EngineUpdate | { type: 'finished' };
        if (update.type === 'finished') resolve();
        else onUpdate(update);
      });
      thread.once('exit', () => reject(new Error('the thread has gone')));
      tell({ type: 'start', batch });
      return { finished, send: (command) => tell({ type: 'command', command }) };
    },
  };
}

const startThread = (baseUrl: string) =>
  new Worker(new URL('./elsewhere.test-support.ts', import.meta.url), { workerData: { baseUrl } });

describe('an engine elsewhere', () => {
  test('works with tasks, questions, answers, progress and results as JSON', async () => {
    const script = scripted([send(tasks(2)), done], ({ task, step }) =>
      step === 0
        ? { calls: [call('github__create_issue', { title: task })] }
        : { text: `Did ${task}.` },
    );
    await using server = await startModelServer({ script });
    const thread = startThread(server.baseUrl('anthropic'));
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
    await thread.terminate();
  });

  test('cancels there', async () => {
    const controller = new AbortController();
    const script = scripted([send(tasks(2)), done], () => {
      controller.abort();
      return { hold: new Promise(() => {}) };
    });
    await using server = await startModelServer({ script });
    const thread = startThread(server.baseUrl('anthropic'));
    const { talk } = team(server, { engine: threadEngine(thread) });
    const events = await collect(talk.send('Go.', { signal: controller.signal }));
    assert.equal(ended(events).reason, 'cancelled');
    assert.deepEqual(endsIn(events), { t1: 'cancelled', t2: 'cancelled' });
    await thread.terminate();
  });

  test('that does not end what is cancelled is given up', async (context) => {
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
    while (!isOver) {
      await new Promise(setImmediate);
      if (controller.signal.aborted) context.mock.timers.tick(500);
    }
    const events = await turn;
    assert.equal(ended(events).reason, 'cancelled');
    assert.deepEqual(endsIn(events), { t1: 'failed', t2: 'failed' });
    assert.deepEqual(talk.subagents, []);
  });

  test('that goes away fails the tasks it had, and the turn goes on', async () => {
    const gate = Promise.withResolvers<void>();
    const script = scripted([send(tasks(2)), done], ({ task }) => {
      if (task === 'task 1') return { text: 'In time.' };
      gate.resolve();
      return { hold: new Promise(() => {}) };
    });
    await using server = await startModelServer({ script });
    const thread = startThread(server.baseUrl('anthropic'));
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
