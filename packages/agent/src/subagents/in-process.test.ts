import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, suite, type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import fc from 'fast-check';
import {
  Bench,
  batchOf,
  DONE,
  EVENT,
  question,
  taskOf,
} from '../../test/tasks/engine.test-support.ts';
import type { BatchRun, SubagentAnswer, WorkResult } from '../tasks/engine.ts';
import { createInProcessEngine } from './in-process.ts';

/** A bench with one running child. */
async function working(timeout?: number) {
  const bench = new Bench();
  const run = bench.start({ tasks: [taskOf('a', timeout)], concurrency: 1 });
  await turn();
  return { bench, run, ...bench.child('a') };
}

function tick(ms: number): Promise<void> {
  mock.timers.tick(ms);
  return turn();
}

/**
 * Mocks the timers of a test. A failed test leaves running children. Their timers must not keep the
 * process alive.
 */
function mockTimers(context: TestContext): void {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
}

/** A suite whose timers are mocked. Its hooks are its own, because files may share a process. */
function timedSuite(name: string, tests: () => void): void {
  suite(name, () => {
    beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
    afterEach(() => mock.timers.reset());
    tests();
  });
}

timedSuite('in-process engine: results', () => {
  test('the result holds what the work returns, with the child and id of the task', async () => {
    const bench = new Bench();
    const run = bench.start(batchOf('a b'));
    await turn();
    const incomplete: WorkResult = { status: 'incomplete', text: 'half', error: 'Cut off.' };
    bench.child('a').resolve(incomplete);
    bench.child('b').resolve({ ...DONE, error: undefined });
    await run.finished;
    assert.deepEqual(bench.results(), [
      { child: 'a', id: 'task of a', ...incomplete },
      { child: 'b', id: 'task of b', ...DONE },
    ]);
  });

  test('work that throws, at once or later, fails only its own task', async () => {
    const bench = new Bench({}, (task) => {
      if (task.child === 'a') throw new Error('at once');
      if (task.child === 'b') return Promise.reject('later');
      return Promise.resolve(DONE);
    });
    await bench.start(batchOf('a b c')).finished;
    assert.deepEqual(bench.outcomes().sort(), ['a failed: at once', 'b failed: later', 'c done']);
  });

  test('an error is one line of at most 300 characters', async () => {
    const { bench, run, reject } = await working();
    reject(new Error(`first\n  second\r\n${'x'.repeat(1_000)}`));
    await run.finished;
    const error = bench.results()[0]?.error ?? '';
    assert.match(error, /^first second x+…$/);
    assert.equal(error.length, 300);
  });

  test('an empty batch finishes without updates', async () => {
    const bench = new Bench();
    await bench.start({ tasks: [], concurrency: 4 }).finished;
    assert.deepEqual(bench.updates, []);
  });

  test('invalid batches and options are refused', () => {
    const code = { name: ToolfoldError.name, code: 'invalid-option' };
    const bench = new Bench();
    assert.throws(() => bench.start(batchOf('a b a')), { ...code, message: /"a"/ });
    assert.throws(() => bench.start(batchOf('a', 0)), code);
    assert.throws(() => new Bench({ slots: 0 }), code);
    assert.throws(() => new Bench({ slots: 1.5 }), code);
  });

  test('progress comes in order, before the result and never after it', async () => {
    const { bench, run, tell, resolve } = await working();
    tell(EVENT);
    resolve(DONE);
    tell({ type: 'text', text: 'and more' });
    await run.finished;
    tell(EVENT);
    assert.deepEqual(
      bench.updates.map((update) => (update.type === 'progress' ? update.event : update.type)),
      [EVENT, { type: 'text', text: 'and more' }, 'result'],
    );
    assert.ok(bench.updates.every((update) => update.type === 'result' || update.child === 'a'));
  });
});

timedSuite('in-process engine: slots', () => {
  test('tasks start in their order, as many at once as the batch allows', async () => {
    const bench = new Bench();
    const run = bench.start(batchOf('a b c d', 2));
    assert.deepEqual(bench.started, [], 'nothing is told before the caller has the run');
    await turn();
    assert.deepEqual(bench.started, ['a', 'b']);
    bench.child('b').resolve(DONE);
    await turn();
    assert.deepEqual(bench.started, ['a', 'b', 'c']);
    bench.child('c').resolve(DONE);
    bench.child('a').resolve(DONE);
    await turn();
    bench.child('d').resolve(DONE);
    await run.finished;
    assert.deepEqual(bench.outcomes(), ['b done', 'c done', 'a done', 'd done']);
  });

  test('all batches share the slots in order of arrival', async () => {
    const bench = new Bench({ slots: 3 });
    const runs = [batchOf('a1 a2 a3', 2), batchOf('b1 b2 b3', 4)].map((batch) =>
      bench.start(batch),
    );
    await turn();
    assert.deepEqual(bench.started, ['a1', 'a2', 'b1']);
    bench.child('b1').resolve(DONE);
    await turn();
    assert.deepEqual(bench.started.slice(3), ['b2'], 'the first batch is at its own limit');
    bench.child('a1').resolve(DONE);
    await turn();
    assert.deepEqual(bench.started.slice(4), ['a3'], 'the first batch comes first');
    for (const name of ['a2', 'a3', 'b2']) bench.child(name).resolve(DONE);
    await turn();
    bench.child('b3').resolve(DONE);
    await Promise.all(runs.map(({ finished }) => finished));
  });

  test('eight tasks run at once by default', async () => {
    const bench = new Bench();
    const run = bench.start(batchOf('a b c d e f g h i j', 50));
    await turn();
    assert.equal(bench.started.length, 8);
    run.send({ type: 'cancel' });
    for (const name of bench.started) bench.child(name).resolve(DONE);
    await run.finished;
  });

  test('a slot is held until the work has settled, also after cancel and stop', async () => {
    const bench = new Bench({ slots: 1 });
    const run = bench.start(batchOf('a b'));
    await turn();
    run.send({ type: 'cancel', child: 'a' });
    await turn();
    assert.deepEqual(bench.started, ['a']);
    assert.deepEqual(bench.outcomes(), []);
    bench.child('a').reject(bench.child('a').signal.reason);
    await turn();
    assert.deepEqual(bench.started, ['a', 'b']);
    bench.child('b').resolve(DONE);
    await run.finished;
  });
});

timedSuite('in-process engine: cancel and stop', () => {
  test('cancelling all ends running tasks and starts no waiting ones', async () => {
    const bench = new Bench();
    const run = bench.start(batchOf('a b c', 2));
    await turn();
    run.send({ type: 'cancel' });
    assert.deepEqual(bench.outcomes(), ['c cancelled: It was cancelled before it started.']);
    assert.equal(bench.child('a').signal.reason.name, 'AbortError');
    bench.child('a').resolve({ ...DONE, text: 'as far as it came' });
    assert.equal(await Promise.race([run.finished, turn('b still works')]), 'b still works');
    bench.child('b').reject(new Error('broken off'));
    await run.finished;
    assert.deepEqual(bench.outcomes().slice(1), [
      'a cancelled: It was cancelled.',
      'b cancelled: It was cancelled.',
    ]);
    assert.equal(bench.results()[1]?.text, 'as far as it came');
    assert.deepEqual(bench.started, ['a', 'b']);
  });

  test('one running or waiting child is cancelled, and the others continue', async () => {
    const bench = new Bench();
    const run = bench.start(batchOf('a b c d', 2));
    await turn();
    run.send({ type: 'cancel', child: 'a' });
    run.send({ type: 'cancel', child: 'c' });
    run.send({ type: 'cancel', child: 'unknown' });
    bench.child('a').resolve(DONE);
    await turn();
    assert.equal(bench.child('b').signal.aborted, false);
    assert.deepEqual(bench.started, ['a', 'b', 'd']);
    bench.child('b').resolve(DONE);
    bench.child('d').resolve(DONE);
    await run.finished;
    assert.match(bench.outcomes().join(), /^c cancelled.*,a cancelled.*,b done,d done$/);
  });

  test('a batch cancelled at once starts nothing', async () => {
    const bench = new Bench();
    const run = bench.start(batchOf('a b'));
    run.send({ type: 'cancel' });
    await run.finished;
    await turn();
    assert.deepEqual(bench.started, []);
    assert.equal(bench.results().length, 2);
  });

  test('work that returned before the signal fired keeps its status', async () => {
    const { bench, run, resolve, signal } = await working();
    resolve(DONE);
    run.send({ type: 'cancel' });
    assert.equal(signal.aborted, true, 'the engine could not know yet');
    await run.finished;
    assert.deepEqual(bench.outcomes(), ['a done']);
  });

  test('work that returns or throws because of the signal is cancelled', async () => {
    const { bench, run, resolve, signal } = await working();
    signal.addEventListener('abort', () => resolve(DONE));
    run.send({ type: 'cancel' });
    await run.finished;
    const thrower = new Bench({}, (_task, { tell }) => {
      tell(EVENT);
      throw new Error('at once');
    });
    const second = thrower.start(batchOf('b'));
    thrower.onUpdate = ({ type }) => type === 'progress' && second.send({ type: 'cancel' });
    await second.finished;
    assert.deepEqual(bench.outcomes(), ['a cancelled: It was cancelled.']);
    assert.deepEqual(thrower.outcomes(), ['b cancelled: It was cancelled.']);
  });

  test('stop: running tasks continue, and the others report why they did not start', async () => {
    const bench = new Bench();
    const run = bench.start(batchOf('a b c', 1));
    await turn();
    run.send({ type: 'stop', reason: 'The budget is spent.' });
    run.send({ type: 'stop', reason: 'Again.' });
    assert.equal(bench.child('a').signal.aborted, false);
    bench.child('a').resolve(DONE);
    await run.finished;
    assert.deepEqual(bench.outcomes(), [
      'b not_started: The budget is spent.',
      'c not_started: The budget is spent.',
      'a done',
    ]);
    assert.deepEqual(bench.started, ['a']);
  });

  test('commands may be repeated, and sent from inside an update', async () => {
    const bench = new Bench();
    const run = bench.start(batchOf('a b c d', 2));
    bench.onUpdate = () => {
      run.send({ type: 'cancel' });
      run.send({ type: 'stop', reason: 'Too late.' });
    };
    await turn();
    bench.child('a').tell(EVENT);
    for (const name of bench.started) bench.child(name).resolve(DONE);
    await run.finished;
    assert.match(bench.outcomes().join(), /^c cancelled.*,d cancelled.*,a cancelled.*,b cancelled/);
    assert.equal(bench.results().length, 4);
  });

  test('commands after the end are ignored', async () => {
    const { bench, run, ask, signal, resolve } = await working();
    void ask(question('q'));
    resolve(DONE);
    await run.finished;
    const told = bench.updates.length;
    run.send({ type: 'cancel' });
    run.send({ type: 'cancel', child: 'a' });
    run.send({ type: 'stop', reason: 'Late.' });
    run.send({ type: 'answer', child: 'a', question: 'q', answer: { approved: true } });
    await turn();
    assert.equal(bench.updates.length, told);
    assert.equal(signal.aborted, false);
  });
});

timedSuite('in-process engine: time', () => {
  test('a child at its time limit is aborted, and its result is timed_out with its partial answer', async () => {
    const { bench, run, signal, resolve } = await working(300_000);
    await tick(299_999);
    assert.equal(signal.aborted, false);
    await tick(1);
    assert.equal(signal.reason.name, 'TimeoutError');
    run.send({ type: 'cancel' });
    resolve({ status: 'failed', text: 'half', error: 'aborted' });
    await run.finished;
    assert.deepEqual(bench.outcomes(), ['a timed_out: It took longer than 300 s.']);
    assert.equal(bench.results()[0]?.text, 'half');
  });

  test('the time of waiting for a slot does not count for a task', async () => {
    const bench = new Bench({ slots: 1 });
    const run = bench.start({ tasks: [taskOf('a', 900), taskOf('b', 500)], concurrency: 4 });
    await tick(0);
    await tick(600);
    bench.child('a').resolve(DONE);
    await turn();
    await tick(499);
    assert.equal(bench.child('b').signal.aborted, false);
    await tick(1);
    bench.child('b').reject(new Error('aborted'));
    await run.finished;
    assert.deepEqual(bench.outcomes(), ['a done', 'b timed_out: It took longer than 0.5 s.']);
  });

  test('the time limit pauses while any question is open', async () => {
    const { run, signal, ask, reject } = await working(1_000);
    await tick(600);
    void ask(question('q1'));
    void ask(question('q2'));
    await tick(5_000);
    run.send({ type: 'answer', child: 'a', question: 'q1', answer: { approved: true } });
    run.send({ type: 'answer', child: 'a', question: 'q1', answer: { approved: true } });
    await tick(5_000);
    assert.equal(signal.aborted, false, 'q2 is open');
    run.send({ type: 'answer', child: 'a', question: 'q2', answer: { approved: true } });
    await tick(399);
    assert.equal(signal.aborted, false);
    await tick(1);
    assert.equal(signal.aborted, true);
    reject(signal.reason);
    await run.finished;
  });

  test('ended and cancelled children leave no timer', async () => {
    mock.timers.reset();
    const timers = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const bench = new Bench();
    const run = bench.start(batchOf('a b c'));
    await turn();
    assert.equal(timers(), before + 3);
    bench.child('a').resolve(DONE);
    void bench.child('b').ask(question('q'));
    run.send({ type: 'cancel', child: 'c' });
    bench.child('c').resolve(DONE);
    await turn();
    assert.equal(timers(), before);
    run.send({ type: 'answer', child: 'b', question: 'q', answer: { approved: true } });
    assert.equal(timers(), before + 1);
    run.send({ type: 'cancel' });
    // One timer waits for the work that has not stopped yet.
    assert.equal(timers(), before + 1);
    bench.child('b').resolve(DONE);
    await run.finished;
    assert.equal(timers(), before);
  });

  test('work that ignores the signal is given up after ten seconds and delays nothing else', async () => {
    const bench = new Bench();
    const run = bench.start(batchOf('deaf next', 1));
    await turn();
    run.send({ type: 'cancel', child: 'deaf' });
    mock.timers.tick(9_999);
    await turn();
    assert.deepEqual(bench.started, ['deaf']);
    mock.timers.tick(1);
    await turn();
    assert.deepEqual(bench.outcomes(), [
      'deaf cancelled: It was cancelled. It did not stop in time.',
    ]);
    bench.child('deaf').tell(EVENT);
    bench.child('deaf').reject(new Error('late'));
    assert.deepEqual(bench.started, ['deaf', 'next']);
    bench.child('next').resolve(DONE);
    await run.finished;
    assert.equal(bench.updates.length, 2);
  });
});

timedSuite('in-process engine: questions', () => {
  const yes: SubagentAnswer = { approved: true, reason: 'fine' };

  test('a question is sent, and its answer reaches the child that asked', async () => {
    const { bench, run, ask, resolve } = await working();
    const answers = [ask(question('q1')), ask(question('q2'))];
    assert.deepEqual(bench.updates, [
      { type: 'question', child: 'a', question: question('q1') },
      { type: 'question', child: 'a', question: question('q2') },
    ]);
    run.send({ type: 'answer', child: 'a', question: 'q2', answer: { approved: false } });
    run.send({ type: 'answer', child: 'b', question: 'q1', answer: { approved: false } });
    run.send({ type: 'answer', child: 'a', question: 'q3', answer: { approved: false } });
    run.send({ type: 'answer', child: 'a', question: 'q1', answer: yes });
    assert.deepEqual(await Promise.all(answers), [yes, { approved: false }]);
    resolve(DONE);
    await run.finished;
  });

  test('a question may be answered before `ask` has returned', async () => {
    const { bench, run, ask, resolve } = await working();
    bench.onUpdate = (update) => {
      if (update.type !== 'question') return;
      run.send({ type: 'answer', child: 'a', question: update.question.id, answer: yes });
    };
    assert.deepEqual(await ask(question('q')), yes);
    resolve(DONE);
    await run.finished;
  });

  test('a question with the id of an open one is refused, and the open one stays', async () => {
    const { bench, run, ask, resolve } = await working();
    const first = ask(question('q'));
    await assert.rejects(ask(question('q')), /"q" is open/);
    run.send({ type: 'answer', child: 'a', question: 'q', answer: yes });
    assert.deepEqual(await first, yes);
    resolve(DONE);
    await run.finished;
    assert.equal(bench.updates.length, 2);
  });

  test('when the signal fires, open and later questions reject with its reason', async () => {
    const { bench, run, ask, signal, resolve } = await working();
    const open = ask(question('q1'));
    void ask(question('nobody waits for it'));
    run.send({ type: 'cancel' });
    const isReason = (error: unknown) => error === signal.reason;
    await assert.rejects(open, isReason);
    await assert.rejects(ask(question('q2')), isReason);
    resolve(DONE);
    await run.finished;
    assert.deepEqual(
      bench.updates.map(({ type }) => type),
      ['question', 'question', 'result'],
    );
  });

  test('after the end of the task, open and later questions reject', async () => {
    const { bench, run, ask, resolve } = await working();
    const open = ask(question('q1'));
    resolve(DONE);
    await assert.rejects(open, /over/);
    await run.finished;
    await assert.rejects(ask(question('q2')), /over/);
    void ask(question('nobody waits for it'));
    await turn();
    assert.equal(bench.updates.at(-1)?.type, 'result');
  });
});

test('in-process engine: an ended child is garbage collected', async (context) => {
  mockTimers(context);
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const refs: WeakRef<object>[] = [];
  const engine = createInProcessEngine(async (task, { signal, ask, tell }) => {
    void ask(question('q'));
    tell(EVENT);
    const result = { ...DONE, text: task.child.repeat(1_000) };
    if (task.child !== 'last') refs.push(new WeakRef(task), new WeakRef(signal));
    else await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return result;
  });
  const run = engine.start(batchOf('last a b c', 2), (update) => {
    if (update.type === 'result') refs.push(new WeakRef(update.result));
  });
  refs.push(new WeakRef(engine.start(batchOf('d e'), () => {})));
  await turn();
  assert.equal(refs.length, 14);
  const held = () => refs.filter((ref) => ref.deref() !== undefined).length;
  // Dereferenced WeakRefs hold their target until the turn of the event loop ends, and one collection may not find all.
  for (let n = 0; n < 20 && held() > 0; n++) {
    await turn();
    collect();
  }
  assert.equal(held(), 0);
  run.send({ type: 'cancel' });
  await Promise.all([run.finished, engine.start(batchOf('f'), () => {}).finished]);
});

test('promise 47: limits and order hold for every schedule, and no task is lost', async (context) => {
  mockTimers(context);
  const acts = fc.constantFrom('start', 'return', 'throw', 'cancel', 'cancel all', 'stop');
  const steps = fc.array(fc.tuple(acts, fc.nat()), { maxLength: 30 });
  const sizes = fc.array(fc.tuple(fc.nat(6), fc.integer({ min: 1, max: 4 })), { maxLength: 4 });
  const property = fc.asyncProperty(fc.integer({ min: 1, max: 5 }), sizes, steps, play);
  await fc.assert(property, { numRuns: 200 });
});

/** `sizes`: tasks and concurrency of each batch. The batches start one after another. */
async function play(
  slots: number,
  sizes: [number, number][],
  steps: [string, number][],
): Promise<void> {
  const wrong: string[] = [];
  const check = (isRight: boolean, what: string) => isRight || wrong.push(what);
  const atWork: { readonly of: Played; readonly work: PromiseWithResolvers<WorkResult> }[] = [];
  const batches: Played[] = [];
  const isFree = (batch: Played) =>
    batch.waiting.length > 0 && atWork.filter(({ of }) => of === batch).length < batch.concurrency;
  const engine = createInProcessEngine(
    ({ child }) => {
      const of = batches[Number(child.split(' ')[0])] as Played;
      check(batches.find(isFree) === of && atWork.length < slots, `${child} is not due`);
      check(of.waiting.shift() === child, `${child} is out of order`);
      const work = Promise.withResolvers<WorkResult>();
      atWork.push({ of, work });
      return work.promise;
    },
    { slots },
  );
  const start = ([count, concurrency]: [number, number]) => {
    const tasks = Array.from({ length: count }, (_, i) => taskOf(`${batches.length} ${i}`));
    const batch: Played = { waiting: tasks.map(({ child }) => child), concurrency, told: [] };
    batches.push(batch);
    batch.run = engine.start({ tasks, concurrency }, (update) => {
      if (update.type !== 'result') return;
      batch.told.push(update.result.child);
      batch.waiting = batch.waiting.filter((child) => child !== update.result.child);
    });
    batch.run.finished.then(() => {
      check(!atWork.some(({ of }) => of === batch), 'finished while a child works');
      check(batch.told.length === count, 'not as many results as tasks');
      check(new Set(batch.told).size === count, 'two results of one task');
    });
  };
  const settle = (at: number, act: string) => {
    const [ended] = atWork.splice(at % Math.max(1, atWork.length), 1);
    if (act === 'throw') ended?.work.reject(new Error('thrown'));
    else ended?.work.resolve(DONE);
  };
  for (const [act, at] of steps) {
    const next = sizes[batches.length];
    const run = batches[at % Math.max(1, batches.length)]?.run;
    if (act === 'start') next && start(next);
    else if (act === 'cancel all') run?.send({ type: 'cancel' });
    else if (act === 'cancel')
      run?.send({ type: 'cancel', child: `${at % batches.length} ${at % 6}` });
    else if (act === 'stop') run?.send({ type: 'stop', reason: 'Enough.' });
    else settle(at, act);
    await turn();
    check(atWork.length === slots || !batches.some(isFree), 'a slot is left empty');
  }
  while (atWork.length > 0) {
    settle(0, 'return');
    await turn();
  }
  await Promise.all(batches.map(({ run }) => run?.finished));
  assert.deepEqual(wrong, []);
}

interface Played {
  waiting: string[];
  readonly concurrency: number;
  readonly told: string[];
  run?: BatchRun;
}

test('work that returns no promise or no result fails, and its slot is freed', async (context) => {
  mockTimers(context);
  for (const given of [undefined, null, 'done', {}, Promise.resolve()]) {
    const bench = new Bench({ slots: 1 }, () => given as never);
    await bench.start(batchOf('a b')).finished;
    assert.deepEqual(bench.outcomes(), [
      'a failed: The worker returned no result.',
      'b failed: The worker returned no result.',
    ]);
  }
  const bench = new Bench({ slots: 1 }, () => DONE as never);
  await bench.start(batchOf('a b')).finished;
  assert.deepEqual(bench.outcomes(), ['a done', 'b done']);
});
