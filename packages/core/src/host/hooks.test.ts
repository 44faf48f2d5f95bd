import assert from 'node:assert/strict';
import { mock, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { NOT_PLAIN, ODD_PROPERTIES, revoked } from '../../test/host/odd-values.test-support.ts';
import { ToolfoldError } from '../errors.ts';
import {
  type AfterToolCall,
  type BeforeToolCall,
  type HookedCall,
  Hooks,
  type ToolHooks,
} from './hooks.ts';
import type { CallOutcome, CallVerdict } from './verdict.ts';

const CALL: HookedCall = { id: 'c1', name: 'send', arguments: { text: 'a' } };
const ODD = [...NOT_PLAIN, ...ODD_PROPERTIES];

const verdicts: readonly (readonly [what: string, answer: object])[] = [
  ['an object with an unknown key', { denied: 'secret' }],
  ['an object with an unknown key', { deny: undefined, Deny: 'secret' }],
  ['an object with an unknown key', { deny: 'secret', because: 1 }],
  ['an object with an unknown key', JSON.parse('{ "__proto__": { "deny": "secret" } }')],
  ['an object whose `deny` is a boolean', { deny: true }],
  ['an object whose `deny` is null', { deny: null }],
  ['an object whose `deny` is an instance of Promise', { deny: Promise.resolve('secret') }],
  ['an object whose `ask` is a number', { ask: 1 }],
  ['an object whose `ask` is a string', { ask: 'secret' }],
  ['an object whose `ask` is null', { ask: null }],
  ['an object whose `askKey` is a number', { ask: true, askKey: 7 }],
  ['an object with `askKey` and without `ask: true`', { askKey: 'secret' }],
  ['an object with `askKey` and without `ask: true`', { ask: false, askKey: 'secret' }],
  ...ODD.map(
    ([what, value]) => [`an object whose \`arguments\` is ${what}`, { arguments: value }] as const,
  ),
];

const outcomes: readonly (readonly [what: string, answer: object])[] = [
  ['an object with none of `output` and `error`', {}],
  ['an object with none of `output` and `error`', { result: undefined }],
  ['an object with both of `output` and `error`', { output: 'secret', error: undefined }],
  ['an object with an unknown key', { result: 'secret' }],
  ['an object with an unknown key', { output: 'secret', isError: false }],
];

function given(options: ToolHooks): { hooks: Hooks; warnings: string[] } {
  const warnings: string[] = [];
  return { hooks: new Hooks(options, (text) => warnings.push(text)), warnings };
}

const returning = (value: unknown) => (() => value) as () => never;

suite('beforeToolCall', () => {
  test('promise 51: anything but a verdict denies the call, and the developer is told what came', async () => {
    for (const [what, answer] of [...ODD, ...verdicts])
      for (const hook of [returning(answer), async () => answer]) {
        const { hooks, warnings } = given({ beforeToolCall: hook as BeforeToolCall });
        const verdict = await hooks.before(CALL);
        assert.match(verdict.deny ?? '', /no verdict/, what);
        assert.deepEqual(warnings, [
          `\`beforeToolCall\` returned ${what}, which is no verdict: the call was denied. ` +
            'Return undefined, or a plain object with `arguments`, `deny`, `ask` or `askKey`.',
        ]);
        assert.ok(!JSON.stringify([verdict, warnings]).includes('secret'));
      }
  });

  test('promise 51: an answer that cannot be awaited denies the call, or withholds the result', async () => {
    for (const hook of [revoked, async () => revoked()]) {
      const { hooks } = given({ beforeToolCall: hook as never, afterToolCall: hook as never });
      assert.match((await hooks.before(CALL)).deny ?? '', /revoked/);
      await assert.rejects(hooks.after(CALL, { output: 'raw' }), /revoked/);
    }
  });

  test('a warning names the hook of a list, once for each kind of answer', async () => {
    let answer: unknown = new Error('one');
    const { hooks, warnings } = given({ beforeToolCall: [() => undefined, () => answer as never] });
    for (const next of [
      new Error('other'),
      null,
      new Error('third'),
      null,
      { zzz: 1 },
      { yyy: 1 },
    ]) {
      await hooks.before(CALL);
      answer = next;
    }
    await hooks.before(CALL);
    assert.equal(warnings.length, 3);
    assert.match(warnings[0] ?? '', /^`beforeToolCall\[1\]` returned an instance of Error,/);
  });

  test('promise 51: the verdict of any plain object is exactly what it says, and any other object denies', async () => {
    const maybe = <T>(some: fc.Arbitrary<T>) => fc.oneof(some, fc.constant(undefined));
    const wrong = fc.anything().filter((value) => value !== undefined);
    const keys = {
      deny: fc.oneof(maybe(fc.string()), wrong),
      ask: fc.oneof(maybe(fc.boolean()), wrong),
      askKey: fc.oneof(maybe(fc.string()), wrong),
      other: fc.oneof(
        { weight: 5, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: wrong },
      ),
    };
    await fc.assert(
      fc.asyncProperty(
        fc.record(keys, { requiredKeys: [] }),
        fc.boolean(),
        async (answer, isForeign) => {
          const { deny, ask, askKey, other } = answer;
          const isVerdict =
            (deny === undefined || typeof deny === 'string') &&
            (ask === undefined || typeof ask === 'boolean') &&
            (askKey === undefined || (typeof askKey === 'string' && ask === true)) &&
            other === undefined;
          const shown: object = isForeign ? Object.assign(runInNewContext('({})'), answer) : answer;
          const { hooks, warnings } = given({ beforeToolCall: returning(shown) });
          const verdict = await hooks.before(CALL);
          assert.equal(warnings.length, isVerdict ? 0 : 1);
          if (!isVerdict) assert.match(verdict.deny ?? '', /no verdict/);
          else if (deny !== undefined) assert.deepEqual(verdict, { deny });
          else assert.deepEqual([verdict.ask, verdict.askKey], [ask === true, askKey]);
        },
      ),
    );
  });

  test('promise 51: anything at all denies or is a plain object', async () => {
    const anything = fc.anything({
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
    });
    await fc.assert(
      fc.asyncProperty(anything, async (answer) => {
        const { hooks } = given({ beforeToolCall: returning(answer) });
        const { deny } = await hooks.before(CALL);
        const isEmpty =
          answer === undefined ||
          (typeof answer === 'object' &&
            answer !== null &&
            [null, Object.prototype].includes(Object.getPrototypeOf(answer)) &&
            Object.values(answer).every((value) => value === undefined));
        assert.equal(deny === undefined, isEmpty);
      }),
    );
  });

  test('promise 51: arguments of one hook stay if the next returns none', async () => {
    const later: readonly object[] = [{ arguments: undefined }, {}, { ask: true }];
    for (const verdict of later) {
      const change = () => ({ arguments: { text: 'b' } });
      const { hooks } = given({ beforeToolCall: [change, returning(verdict)] });
      assert.deepEqual((await hooks.before(CALL)).arguments, { text: 'b' });
    }
  });

  test('promise 51: arguments are copied when they are read', async () => {
    const kept: Record<string, string> = { text: 'b' };
    const { hooks } = given({ beforeToolCall: () => ({ arguments: kept }) });
    const verdict = await hooks.before(CALL);
    kept.text = 'c';
    kept.more = 'd';
    assert.deepEqual(verdict.arguments, { text: 'b' });
  });

  test('promise 51: a hook that edits its call changes nothing for others', async () => {
    class Id {
      readonly value = 7;
    }
    const inputs: readonly HookedCall['arguments'][] = [
      { text: 'a', list: ['a'] },
      { text: 'a', id: new Id() } as never,
      { text: 'a', run: () => 1 } as never,
    ];
    for (const input of inputs) {
      const seen: unknown[] = [];
      const edit: BeforeToolCall = (call) => {
        seen.push(call.arguments.text);
        call.arguments.text = 'z';
        Object.assign(call, { name: 'other', arguments: { text: 'y' } });
        return undefined;
      };
      const names: string[] = [];
      const { hooks } = given({
        beforeToolCall: [edit, edit, ({ name }) => void names.push(name)],
      });
      const call = { ...CALL, arguments: input };
      assert.equal((await hooks.before(call)).arguments, undefined);
      assert.deepEqual(
        [seen, names, call.arguments, input.text],
        [['a', 'a'], ['send'], input, 'a'],
      );
    }
  });

  test('promise 51: an approval has a key only if each hook that asks gives one', async () => {
    const rows: readonly (readonly [
      verdicts: readonly (CallVerdict | undefined)[],
      key: unknown,
    ])[] = [
      [[{ ask: true, askKey: 'a' }], 'a'],
      [[{ ask: true, askKey: '' }], ''],
      [
        [
          { ask: true, askKey: 'a' },
          { ask: true, askKey: 'a' },
        ],
        'a',
      ],
      [[{ ask: true, askKey: 'a' }, undefined, { ask: false }, {}], 'a'],
      [[{ ask: true, askKey: 'a' }, { ask: true }], undefined],
      [[{ ask: true }, { ask: true, askKey: 'a' }], undefined],
      [
        [
          { ask: true, askKey: 'b' },
          { ask: true, askKey: 'a' },
        ],
        '["a","b"]',
      ],
      [['b', 'a', 'b', 'c'].map((askKey) => ({ ask: true, askKey })), '["a","b","c"]'],
      [[{ ask: true }], undefined],
      [[{}], undefined],
    ];
    for (const [answers, key] of rows) {
      const { hooks } = given({ beforeToolCall: answers.map((answer) => () => answer) });
      const verdict = await hooks.before(CALL);
      assert.equal(
        verdict.ask,
        answers.some((answer) => answer?.ask === true),
      );
      assert.equal(verdict.askKey, key);
    }
  });
});

suite('afterToolCall', () => {
  const after = async (hooks: Hooks): Promise<unknown> => {
    const outcome = await hooks.after(CALL, { output: 'raw secret' });
    if ('error' in outcome) throw outcome.error;
    return outcome.output;
  };

  test('promise 51: anything but an outcome withholds the result, and the developer is told what came', async () => {
    const answers = [...ODD, ...outcomes];
    for (const [what, answer] of answers)
      for (const hook of [returning(answer), async () => answer]) {
        const later: AfterToolCall = () => assert.fail('runs after an outcome that is none');
        const { hooks, warnings } = given({ afterToolCall: [hook as AfterToolCall, later] });
        const failed = await after(hooks).catch((error: Error) => error);
        assert.ok(failed instanceof Error, what);
        assert.match(failed.message, /result is withheld: A hook .* no outcome/);
        assert.deepEqual(warnings, [
          `\`afterToolCall[0]\` returned ${what}, which is no outcome: the result was withheld. ` +
            'Return undefined, or a plain object with either `output` or `error`.',
        ]);
        assert.ok(!JSON.stringify([failed.message, warnings]).includes('secret'));
      }
  });

  test('promise 51: the presence of a key counts, not its value', async () => {
    for (const output of [undefined, null, false, 0, '', [], new Map()]) {
      const { hooks, warnings } = given({ afterToolCall: () => ({ output }) });
      assert.equal(await after(hooks), output);
      const failing = given({ afterToolCall: () => ({ error: output }) });
      const failed = await after(failing.hooks).then(
        () => assert.fail('did not fail'),
        (error: unknown) => ({ error }),
      );
      assert.deepEqual(failed, { error: output });
      assert.deepEqual([...warnings, ...failing.warnings], []);
    }
    const foreign = given({ afterToolCall: returning(runInNewContext('({ output: "x" })')) });
    assert.equal(await after(foreign.hooks), 'x');
    const unchanged = given({ afterToolCall: () => undefined });
    assert.equal(await after(unchanged.hooks), 'raw secret');
  });

  test('a hook that throws makes the call fail with its error', async () => {
    for (const hook of [() => assert.fail('No.'), async () => assert.fail('No.')])
      await assert.rejects(after(given({ afterToolCall: hook }).hooks), /^AssertionError.*No\./);
  });

  test('promise 51: an outcome that a hook edits in place is read like one that it returns', async () => {
    const edit = (change: object) =>
      given({
        afterToolCall: (_: HookedCall, seen: CallOutcome) => void Object.assign(seen, change),
      });
    assert.equal(await after(edit({ output: 'edited' }).hooks), 'edited');
    await assert.rejects(after(edit({ error: 'both' }).hooks), /withheld/);
  });

  test('promise 51: a hook that edits its call changes nothing for others', async () => {
    const edit: AfterToolCall = (call) => {
      call.arguments.text += 'z';
      return undefined;
    };
    const seen: unknown[] = [];
    const look: AfterToolCall = (call) => void seen.push(call.arguments);
    const call = structuredClone(CALL);
    await given({ afterToolCall: [edit, look] }).hooks.after(call, { output: 'raw' });
    assert.deepEqual([seen, call], [[{ text: 'a' }], CALL]);
  });
});

suite('resolveToolCall', () => {
  test('promise 51: anything but a string denies the call', () => {
    const broken = Promise.reject(new Error('later'));
    const answers = [
      ...NOT_PLAIN,
      ['an object', {}],
      ['an instance of Promise', broken],
      ['an object that cannot be read', revoked()],
    ] as const;
    for (const [what, answer] of answers) {
      if (typeof answer === 'string') continue;
      const later = () => assert.fail('is asked after an answer that is none');
      const { hooks, warnings } = given({ resolveToolCall: [returning(answer), later] });
      const found = hooks.resolve('zzz');
      assert.ok(found.kind === 'invalid', what);
      assert.equal(found.refusal.result.error, 'denied');
      assert.match(String(found.refusal.result.message), /no name of a tool/);
      assert.deepEqual(warnings, [
        `\`resolveToolCall[0]\` returned ${what}, which is no name: the call was denied. ` +
          'Return undefined or a string. This hook cannot be asynchronous.',
      ]);
    }
  });

  test('promise 51: a promise that rejects later is handled', async () => {
    const rejecting = async () => {
      await sleep(1);
      throw new Error('later');
    };
    const { hooks } = given({ resolveToolCall: rejecting as never });
    // The runner fails a test with an unhandled rejection.
    assert.equal(hooks.resolve('zzz').kind, 'invalid');
    await sleep(10);
  });

  test('the first answer counts, and a hook that throws has none', () => {
    const throwing = () => assert.fail('No.');
    const none = given({ resolveToolCall: [throwing, () => undefined] });
    assert.deepEqual(none.hooks.resolve('zzz'), { kind: 'none' });
    const some = given({ resolveToolCall: [throwing, () => undefined, () => 'a', () => 'b'] });
    assert.deepEqual(some.hooks.resolve('zzz'), { kind: 'name', name: 'a' });
    assert.deepEqual([...none.warnings, ...some.warnings], []);
  });
});

suite('the time limit of hooks', () => {
  const never = () => new Promise<undefined>(() => {});

  test('promise 51: a hook that takes longer denies the call, or withholds the result', async () => {
    const slow = () => sleep(200, undefined);
    const options = { beforeToolCall: slow, afterToolCall: slow, timeoutMs: 5 };
    const { hooks } = given(options);
    const { deny } = await hooks.before(CALL);
    assert.match(deny ?? '', /took longer than 5 milliseconds/);
    await assert.rejects(
      hooks.after(CALL, { output: 'raw' }),
      /withheld: .* took longer than 5 milli/,
    );
  });

  test('a late answer or error is ignored', async () => {
    const late = async () => {
      await sleep(20);
      throw new Error('late');
    };
    const { hooks, warnings } = given({ beforeToolCall: late, afterToolCall: late, timeoutMs: 1 });
    assert.match((await hooks.before(CALL)).deny ?? '', /took longer/);
    await assert.rejects(hooks.after(CALL, { output: 'raw' }), /took longer/);
    await sleep(30);
    assert.deepEqual(warnings, []);
  });

  test('its timers are cleared: after an answer, an error, and when the call is cancelled', async () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const throwing = async () => assert.fail('No.');
    for (const hook of [async () => undefined, throwing]) {
      const { hooks } = given({ beforeToolCall: hook, afterToolCall: hook, timeoutMs: 60_000 });
      await hooks.before(CALL);
      await hooks.after(CALL, { output: 'raw' }).catch(() => {});
    }
    const { hooks } = given({ beforeToolCall: never, timeoutMs: 60_000 });
    const abort = new AbortController();
    const running = hooks.before(CALL, abort.signal);
    assert.equal(timers(), before + 1);
    abort.abort(new Error('cancelled'));
    await assert.rejects(running, /cancelled/);
    assert.equal(timers(), before);
  });

  test('a limit beyond what a timer can hold is no short one', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { hooks } = given({ beforeToolCall: never, timeoutMs: 1e15 });
      let isSettled = false;
      void hooks.before(CALL).then(() => {
        isSettled = true;
      });
      mock.timers.tick(1_000_000);
      await Promise.resolve();
      assert.equal(isSettled, false);
      mock.timers.tick(2 ** 31);
    } finally {
      mock.timers.reset();
    }
  });

  test('is a number above 0, or is refused', () => {
    const isRefused = (error: unknown) =>
      error instanceof ToolfoldError &&
      error.code === 'invalid-option' &&
      error.message.includes('"hooks.timeoutMs"');
    for (const timeoutMs of [0, -1, Number.NaN, Infinity, '5', null, true, 5n, {}])
      assert.throws(() => new Hooks({ timeoutMs: timeoutMs as number }), isRefused);
    for (const timeoutMs of [undefined, 0.5, 1, 1e15])
      assert.doesNotThrow(() => new Hooks({ timeoutMs }));
  });
});
