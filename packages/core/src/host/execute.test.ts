import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type CallObserver,
  type ExecutedCall,
  type ExecuteOptions,
  execute,
  lastOf,
} from './execute.ts';
import { Hooks, type ToolHooks } from './hooks.ts';

const CALL: ExecutedCall = { id: 'c1', name: 'send', input: { text: 'a' } };

interface Given {
  readonly hooks?: ToolHooks;
  readonly observers?: readonly CallObserver[];
  readonly onExecute?: ExecuteOptions['onExecute'];
  readonly check?: () => void;
  readonly signal?: AbortSignal;
}

function run(tool: () => unknown, given: Given = {}): unknown {
  const { hooks, observers = [], onExecute, check = () => {}, signal } = given;
  return execute(CALL, tool, {
    hooks: new Hooks(hooks),
    observers,
    onExecute,
    check,
    signal,
    isConverted: false,
    runWith: undefined,
  });
}

const circle: Record<string, unknown> = { paid: true };
circle.self = circle;

const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('execute', () => {
  test('promise 40: an observer that does not end ends with the signal', async () => {
    for (const observer of [
      { started: () => new Promise(() => {}) },
      { settled: () => new Promise(() => {}) },
    ]) {
      const stop = new AbortController();
      let runs = 0;
      const tool = async () => void runs++;
      const running = run(tool, { observers: [observer], signal: stop.signal });
      const ended = assert.rejects(running as Promise<unknown>, /stopped/);
      await soon();
      stop.abort(new Error('stopped'));
      await ended;
      assert.equal(runs, 'settled' in observer ? 1 : 0);
    }
  });

  test('a result is held as JSON can hold it before hooks and observers read it', async () => {
    const seen: string[] = [];
    const note = (value: unknown) => void seen.push(JSON.stringify(value));
    const observer: CallObserver = { settled: (_, outcome) => note(outcome) };
    const hooks: ToolHooks = {
      afterToolCall: (_, outcome) => {
        note(outcome);
        return { output: { again: circle } };
      },
    };
    note(await run(async () => circle, { hooks, observers: [observer] }));
    assert.equal(seen.length, 3);
    for (const text of seen) assert.match(text, /"paid":true,"self":"\[The tool has run/);
    note(run(() => circle));
    note(await run(async () => circle));
    async function* values() {
      yield circle;
    }
    for await (const value of run(values) as AsyncIterable<unknown>) note(value);
    assert.equal(seen.length, 6);
    const kept = { paid: true };
    assert.equal(
      run(() => kept),
      kept,
    );
  });

  test('observers are awaited in order before the tool and after the hooks', async () => {
    const log: string[] = [];
    const slow = async (text: string) => {
      log.push(`${text} begins`);
      await soon();
      log.push(`${text} ends`);
    };
    const observer = (name: string): CallObserver => ({
      started: () => slow(`${name} started`),
      settled: () => slow(`${name} settled`),
    });
    const hooks = {
      afterToolCall: async () => {
        await slow('hook');
        return undefined;
      },
    };
    const tool = async () => {
      await slow('tool');
      return 'sent';
    };
    const given = { hooks, observers: [observer('one'), observer('other')] };
    assert.equal(await run(tool, given), 'sent');
    const order = ['one started', 'other started', 'tool', 'hook', 'one settled', 'other settled'];
    assert.deepEqual(
      log,
      order.flatMap((text) => [`${text} begins`, `${text} ends`]),
    );
  });

  test('promise 51: if `started` throws, the tool, the hooks and `settled` do not run', async () => {
    const log: string[] = [];
    const failing = {
      started: async () => {
        await soon();
        throw new Error('The log is full.');
      },
      settled: () => log.push('settled'),
    };
    const hooks = { afterToolCall: () => void log.push('hook') };
    const never = { started: () => log.push('later') };
    const given = { hooks, observers: [failing, never] };
    await assert.rejects(async () => run(() => log.push('ran'), given), /The log is full/);
    assert.deepEqual(log, []);
  });

  test('a `settled` that throws makes the call fail with its error', async () => {
    const observers = [{ settled: () => Promise.reject(new Error('Not written down.')) }];
    await assert.rejects(async () => run(() => 'sent', { observers }), /Not written down/);
  });

  test('`settled` sees the outcome after the hooks', async () => {
    const seen: unknown[] = [];
    const observers = [
      { settled: (call: ExecutedCall, outcome: object) => seen.push([call, outcome]) },
    ];
    const redact = { afterToolCall: () => ({ output: '[redacted]' }) };
    assert.equal(await run(() => 'secret', { hooks: redact, observers }), '[redacted]');
    const repair = { afterToolCall: () => ({ output: 'mended' }) };
    const broken = () => {
      throw new Error('It broke.');
    };
    assert.equal(await run(broken, { hooks: repair, observers }), 'mended');
    const failing = { afterToolCall: () => ({ error: 'no' }) };
    await assert.rejects(
      async () => run(() => 'sent', { hooks: failing, observers }),
      (thrown) => thrown === 'no',
    );
    assert.deepEqual(seen, [
      [CALL, { output: '[redacted]' }],
      [CALL, { output: 'mended' }],
      [CALL, { error: 'no' }],
    ]);
  });

  test('errors of the tool and of a hook are thrown and observed', async () => {
    const error = new Error('It broke.');
    const seen: unknown[] = [];
    const observers = [{ settled: (_: ExecutedCall, outcome: object) => seen.push(outcome) }];
    const throwing = () => {
      throw error;
    };
    for (const tool of [throwing, () => Promise.reject(error)])
      await assert.rejects(
        async () => run(tool, { observers }),
        (thrown) => thrown === error,
      );
    await assert.rejects(
      async () => run(() => 'sent', { hooks: { afterToolCall: throwing }, observers }),
      (thrown) => thrown === error,
    );
    await assert.rejects(
      async () => run(() => Promise.reject(error)),
      (thrown) => thrown === error,
    );
    assert.throws(
      () => run(throwing),
      (thrown) => thrown === error,
    );
    assert.deepEqual(seen, [{ error }, { error }, { error }]);
  });

  test('promise 51: a tool does not run if its input changed while observers were awaited', async () => {
    let ran = false;
    let isUnchanged = true;
    const observers = [
      {
        started: async () => {
          await soon();
          isUnchanged = false;
        },
      },
    ];
    const tool = () => {
      ran = true;
    };
    const check = () => {
      if (!isUnchanged) throw new Error('The input of send was changed before the tool ran.');
    };
    const given = { observers, check };
    await assert.rejects(async () => run(tool, given), /input of send was changed/);
    assert.equal(ran, false);
  });

  test('without observers and hooks, the return value of the tool is returned unchanged', async () => {
    async function* partial() {
      yield 1;
      yield 2;
    }
    const parts: unknown[] = [];
    for await (const part of run(partial) as AsyncIterable<unknown>) parts.push(part);
    assert.deepEqual(parts, [1, 2]);
    assert.equal(
      run(() => 'sent'),
      'sent',
    );
    assert.equal(await run(async () => 'sent'), 'sent');
    assert.equal(await run(partial, { observers: [{}] }), 2);
    assert.equal(await run(partial, { hooks: { afterToolCall: () => undefined } }), 2);
  });

  test('`onExecute` is called for each run that returns a promise, with that promise', async () => {
    const calls: [string, Promise<unknown>][] = [];
    const onExecute = ({ id }: ExecutedCall, running: Promise<unknown>) =>
      calls.push([id, running]);
    run(() => 'at once', { onExecute });
    assert.equal(calls.length, 0);
    await run(async () => 'later', { onExecute });
    await run(() => 'looked at', { onExecute, observers: [{}] });
    assert.deepEqual(await Promise.all(calls.map(([, running]) => running)), [
      'later',
      'looked at',
    ]);
  });

  test('the last of several partial results counts; without results it is undefined', async () => {
    const list = async function* (...values: unknown[]) {
      yield* values;
    };
    assert.equal(await lastOf(list(1, 2, 3)), 3);
    assert.equal(await lastOf(list()), undefined);
    for (const value of [undefined, null, 'text', 0, [1], { a: 1 }, new Map([[1, 2]])])
      assert.equal(await lastOf(value), value);
  });
});
