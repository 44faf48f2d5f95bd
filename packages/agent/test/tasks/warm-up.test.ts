import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { collect } from '../agent.test-support.ts';
import {
  ofChildren,
  reportIn,
  scripted,
  send,
  tasks,
  team,
} from '../subagents/team.test-support.ts';
import { Bench, DONE, EVENT, taskOf } from './engine.test-support.ts';

const usage = { type: 'usage', input: 1, cacheRead: 0, cacheWrite: 0, output: 1 } as const;
const REQUEST = { type: 'preload', tools: [] } as const;
const settled = () => new Promise(setImmediate);

/** Tasks of these children; `a1` and `a2` have the role `a`. */
function batchOf(children: string, warmCache = true, concurrency = 8) {
  const given = children
    .split(' ')
    .map((child) => ({ ...taskOf(child, 60_000), role: child[0] ?? '' }));
  return { tasks: given, concurrency, warmCache };
}

describe('with a warm cache', () => {
  // Children have time limits, and no test lets them pass.
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
  afterEach(() => mock.timers.reset());

  test('one child of each role starts first, and the others start when its model answers', async () => {
    const bench = new Bench();
    bench.start(batchOf('a1 a2 b1 a3 b2'));
    await settled();
    assert.deepEqual(bench.started, ['a1', 'b1']);
    bench.child('a1').tell(REQUEST);
    await settled();
    assert.deepEqual(bench.started, ['a1', 'b1']);
    bench.child('b1').tell(usage);
    assert.deepEqual(bench.started, ['a1', 'b1', 'b2']);
    bench.child('a1').tell(EVENT);
    assert.deepEqual(bench.started, ['a1', 'b1', 'b2', 'a2', 'a3']);
  });

  test('the others also start when the first child ends in any way', async () => {
    const bench = new Bench();
    const run = bench.start(batchOf('a1 a2 b1 b2 c1 c2'));
    await settled();
    bench.child('a1').resolve(DONE);
    bench.child('b1').reject(new Error('no model'));
    run.send({ type: 'cancel', child: 'c1' });
    bench.child('c1').reject(new Error('cancelled'));
    await settled();
    assert.deepEqual(bench.started, ['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
  });

  test('the limits hold, and dropped tasks get results', async () => {
    const bench = new Bench();
    const run = bench.start(batchOf('a1 a2 a3 a4', true, 2));
    await settled();
    bench.child('a1').tell(EVENT);
    assert.deepEqual(bench.started, ['a1', 'a2']);
    run.send({ type: 'stop', reason: 'enough' });
    bench.child('a1').resolve(DONE);
    bench.child('a2').resolve(DONE);
    await run.finished;
    assert.deepEqual(bench.started, ['a1', 'a2']);
    assert.equal(bench.results().length, 4);
  });

  test('the others wait at most ten seconds for a first child without an answer', async () => {
    const bench = new Bench();
    bench.start(batchOf('a1 a2 a3'));
    await settled();
    bench.child('a1').tell(REQUEST);
    mock.timers.tick(9_999);
    assert.deepEqual(bench.started, ['a1']);
    mock.timers.tick(1);
    assert.deepEqual(bench.started, ['a1', 'a2', 'a3']);
  });

  test('without warmCache all children start at once', async () => {
    const bench = new Bench();
    bench.start(batchOf('a1 a2 b1', false));
    await settled();
    assert.deepEqual(bench.started, ['a1', 'a2', 'b1']);
  });
});

describe('with a warm cache', () => {
  test('the shared prefix of children is paid only once', async () => {
    const done: Reply = { text: 'All done.' };
    const script = scripted([send(tasks(8), { concurrency: 8 }), done], () => ({ text: 'Ok.' }));
    await using server = await startModelServer({ script, cache: { minimum: 100 } });
    const { talk } = team(server, { warmCache: true }, { fold: { strategy: 'eager' } });
    assert.equal(reportIn(await collect(talk.send('Go.')))?.summary.done, 8);
    assert.equal(ofChildren(server).length, 8);
    const { input, cacheRead } = talk.spending.subagents;
    const each = input / 8;
    assert.ok(cacheRead > 7 * (each - 100), 'seven of eight read the beginning');
  });
});
