import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { createSubagents, type SubagentOptions } from '../../src/tasks/tool.ts';

const SECRET = 'sk-secret';

/** The error that any options cause. */
function refusal(options: unknown): ToolfoldError {
  try {
    createSubagents(options as SubagentOptions);
  } catch (error) {
    assert.ok(error instanceof ToolfoldError, String(error));
    assert.equal(error.code, 'invalid-option');
    return error;
  }
  return assert.fail('nothing was thrown');
}

/** For each option: invalid values, and the expected value in the message. */
const wrong: { readonly [Key in keyof SubagentOptions]-?: readonly [readonly unknown[], RegExp] } =
  {
    roles: [
      ['watcher', [], ['a', 'a'], [1], [undefined], {}, null],
      /names of roles, at least one/,
    ],
    wide: [['true', 1, null], /true or false/],
    warmCache: [['true', 1, null], /true or false/],
    concurrency: [[0, 9, 1.5, '4', Number.NaN, null], /whole number from 1 to 8/],
    timeout: [[0, 901, '300', Number.POSITIVE_INFINITY], /whole number from 1 to 900/],
    depth: [[0, 5, -1, '1'], /whole number from 1 to 4/],
    budget: [[null, 5, 'much', [], {}, { tokens: undefined }], /Expected: /],
    maxRounds: [[0, 1.5, '5', 2 ** 53], /whole number of at least 1/],
    instructions: [['', ' \n', 5, null, {}], /Expected: a string that is not blank/],
    hooks: [[null, [], () => {}, 'none', true], /beforeToolCall, afterToolCall/],
    withhold: [['memory', [1], {}, null], /a list of strings/],
    model: [['anthropic/x', { modelId: 'x' }, null], /a function/],
    resultBytes: [[9_999, 10_000_001, '60000', 20_000.5], /whole number from 10000 to 10000000/],
    engine: [['here', {}, { start: true }, null, []], /a function `start`/],
  };

suite('options of subagents', () => {
  for (const [key, [values, expected]] of Object.entries(wrong)) {
    test(`${key}: an invalid value is refused with the expected value`, () => {
      for (const value of values) {
        const { message } = refusal({ [key]: value });
        const [item] = message.match(/\[\d\]/) ?? [''];
        assert.ok(message.includes(`"subagents.${key}${item}"`), message);
        // A mistake in one item of a list is reported for that item.
        assert.match(message, item === '' ? expected : /a string that is not blank/);
      }
    });
  }

  test('invalid values inside budget and hooks are refused by their path', () => {
    for (const [options, name, expected] of [
      [{ budget: { tokens: 0 } }, 'budget.tokens', /at least 1/],
      [{ budget: { tokens: 1.5, cost: 1 } }, 'budget.tokens', /whole number/],
      [{ budget: { tokens: '9' } }, 'budget.tokens', /whole number/],
      [{ budget: { cost: 0 } }, 'budget.cost', /above 0/],
      [{ budget: { cost: Number.NaN } }, 'budget.cost', /above 0/],
      [{ budget: { cost: '5' } }, 'budget.cost', /above 0/],
      [{ budget: { token: 5 } }, 'budget.token', /Did you mean "tokens"/],
      [{ budget: {} }, 'budget', /`tokens` or `cost`/],
      [{ hooks: { beforeToolCall: 'deny' } }, 'hooks.beforeToolCall', /a function or a list/],
      [{ hooks: { afterToolCall: [() => {}, null] } }, 'hooks.afterToolCall', /list of functions/],
      [{ hooks: { timeoutMs: 0 } }, 'hooks.timeoutMs', /milliseconds above 0/],
      [{ hooks: { timeoutMs: Infinity } }, 'hooks.timeoutMs', /milliseconds above 0/],
      [{ hooks: { beforeToolcall: () => {} } }, 'hooks.beforeToolcall', /mean "beforeToolCall"/],
    ] as const) {
      const { message } = refusal(options);
      assert.ok(message.includes(`"subagents.${name}"`), message);
      assert.match(message, expected);
    }
  });

  test('an unknown key is refused with a similar name, or with all names', () => {
    assert.match(refusal({ concurency: 2 }).message, /"subagents\.concurency".*"concurrency"\?/);
    assert.match(
      refusal({ zebra: 2 }).hint,
      /^The keys of "subagents" are roles, wide, .*engine\.$/,
    );
    assert.match(refusal(JSON.parse('{"__proto__":{"wide":true}}')).message, /__proto__/);
    assert.match(refusal({ toString: 1 }).message, /"subagents\.toString"/);
  });

  test('options that are not an object are refused', () => {
    for (const options of [null, 'wide', 5, true, [], () => {}])
      assert.match(refusal(options).message, /"subagents" .*an object/);
  });

  test('values are not shown, because they may be secret', () => {
    for (const key of Object.keys(wrong)) {
      for (const value of [{ [SECRET]: SECRET }, [{ key: SECRET }]]) {
        const { message, cause } = refusal({ [key]: value });
        // The message names an unknown key, because the key itself is the mistake.
        const shown = key === 'budget' || key === 'hooks' ? message.split(SECRET, 2)[0] : message;
        assert.ok(!shown?.includes(SECRET), message);
        assert.equal(cause, undefined);
      }
      if (key !== 'instructions') assert.ok(!refusal({ [key]: SECRET }).message.includes(SECRET));
    }
  });

  test('wide allows 12 at once', () => {
    assert.doesNotThrow(() => createSubagents({ wide: true, concurrency: 12 }));
    assert.match(refusal({ wide: true, concurrency: 13 }).message, /from 1 to 12/);
    assert.match(refusal({ wide: false, concurrency: 12 }).message, /from 1 to 8/);
  });

  test('valid options are accepted: all, none, or undefined ones', () => {
    const hook = () => undefined;
    const start = () => ({ send: () => {}, finished: Promise.resolve() });
    const full: SubagentOptions = {
      roles: ['a'],
      wide: false,
      concurrency: 8,
      timeout: 900,
      depth: 4,
      budget: { tokens: 1, cost: 0.01 },
      maxRounds: 1,
      instructions: 'Be brief.',
      hooks: {
        resolveToolCall: hook,
        beforeToolCall: [hook, hook],
        afterToolCall: [],
        timeoutMs: 5,
      },
      withhold: [],
      model: hook,
      resultBytes: 10_000,
      engine: { start },
    };
    assert.deepEqual(createSubagents(full).options, full);
    assert.doesNotThrow(() => createSubagents());
    assert.doesNotThrow(() => createSubagents({ hooks: {}, budget: { tokens: 5 } }));
    assert.doesNotThrow(() => createSubagents({ engine: () => ({ start }), budget: { cost: 5 } }));
    const undefinedKeys = Object.fromEntries(Object.keys(full).map((key) => [key, undefined]));
    assert.doesNotThrow(() => createSubagents(undefinedKeys));
  });
});
