import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { consultHooks } from './decide.ts';
import { type BeforeToolCall, type HookedCall, Hooks } from './hooks.ts';
import { cannotRun } from './refusal.ts';
import { plainCall, type ResolvedCall } from './resolve.ts';
import type { CallVerdict } from './verdict.ts';

const RESOLVED: ResolvedCall = { ...plainCall('c1', 'send', { text: 'a' }), final: { text: 'A' } };

function consulted(
  beforeToolCall: BeforeToolCall | readonly BeforeToolCall[],
  resolved: ResolvedCall = RESOLVED,
  resolve: Parameters<typeof consultHooks>[2] = async (input) => ({
    ...resolved,
    input,
    final: input,
  }),
) {
  return consultHooks(new Hooks({ beforeToolCall }), resolved, resolve);
}

describe('consultHooks', () => {
  test('an answer that is no verdict denies the call: it may be a denial spelt in another way', async () => {
    const odd = [
      ...[
        { denied: 'No.' },
        { Deny: 'No.' },
        { action: 'deny' },
        'deny',
        false,
        true,
        0,
        null,
        [],
        ['deny'],
      ],
      ...[
        { deny: true },
        { deny: null },
        { ask: 1 },
        { ask: 'yes' },
        { arguments: 'text' },
        { ask: true, only: 1 },
      ],
    ];
    for (const answer of odd)
      for (const given of [answer, Promise.resolve(answer)]) {
        const found = await consulted((() => given) as BeforeToolCall);
        assert.equal(found.kind, 'denied', JSON.stringify(answer));
      }
    for (const answer of [undefined, {}, { deny: undefined, ask: undefined, other: undefined }]) {
      const found = await consulted((() => answer) as BeforeToolCall);
      assert.equal(found.kind, 'allowed', JSON.stringify(answer));
    }
  });

  test('promise 51: shows the hooks the final input under the name of the tool', async () => {
    const seen: HookedCall[] = [];
    const found = await consulted((call) => void seen.push(call));
    assert.deepEqual(seen, [{ id: 'c1', name: 'send', arguments: { text: 'A' } }]);
    assert.deepEqual(found, {
      kind: 'allowed',
      resolved: RESOLVED,
      asker: undefined,
      isChanged: false,
    });
  });

  test('promise 51: a denial or an error ends the sequence of hooks; a single `ask` is enough', async () => {
    const later: string[] = [];
    const next: BeforeToolCall = ({ name }) => void later.push(name);
    const throwing = () => {
      throw new Error('No.');
    };
    for (const hook of [() => ({ deny: 'No.' }), throwing, async () => throwing()]) {
      const found = await consulted([hook, next]);
      assert.ok(found.kind === 'denied');
      assert.deepEqual(found.refusal.result, {
        error: 'denied',
        tool: 'send',
        message: 'No. The tool was not run.',
      });
    }
    assert.deepEqual(later, []);
    const empty = await consulted(() => ({ deny: '' }));
    assert.equal(empty.kind, 'denied');
    for (const hooks of [
      [() => ({ ask: true }), () => undefined],
      [() => ({ ask: true }), () => ({ ask: false })],
      [() => undefined, () => ({ ask: true })],
    ]) {
      const found = await consulted(hooks);
      assert.ok(found.kind === 'allowed' && found.asker?.by === 'hook');
    }
    const both = await consulted([() => ({ ask: true }), () => ({ deny: 'No.' })]);
    assert.equal(both.kind, 'denied');
  });

  test('promise 51: arguments from a hook go through the schema', async () => {
    const given: unknown[] = [];
    const change = () => ({ arguments: { text: 'b' } });
    const found = await consulted(change, RESOLVED, async (input) => {
      given.push(input);
      return { ...RESOLVED, input, final: { text: 'B' } };
    });
    // The hook also sees the result of the schema, and the second round changes nothing.
    assert.deepEqual(given, [{ text: 'b' }, { text: 'b' }]);
    assert.ok(found.kind === 'allowed' && found.isChanged);
    assert.deepEqual(found.resolved.final, { text: 'B' });
    const refused = await consulted(change, RESOLVED, async () => cannotRun('send'));
    assert.deepEqual(refused, { kind: 'refused', refusal: cannotRun('send') });
  });

  test('promise 51: a call is denied if hooks and schema keep changing its arguments', async () => {
    let times = 0;
    const change = () => ({ arguments: { text: 'b' } });
    const found = await consulted(change, RESOLVED, async (input) => {
      return { ...RESOLVED, input, final: { text: `${++times}` } };
    });
    assert.equal(found.kind, 'denied');
    assert.ok(times < 10);
  });

  test('promise 51: the key of an approval is passed on if each round of hooks gave one', async () => {
    const rounds = (first: CallVerdict, second: CallVerdict) => {
      const change: BeforeToolCall = ({ arguments: { text } }) =>
        text === 'B' ? second : { ...first, arguments: { text: 'b' } };
      const resolve = async (input: unknown) => ({ ...RESOLVED, input, final: { text: 'B' } });
      return consulted(change, RESOLVED, resolve);
    };
    const key = (askKey: string) => ({ ask: true, askKey });
    const rows: readonly (readonly [CallVerdict, CallVerdict, boolean, string | undefined])[] = [
      [key('a'), key('a'), true, 'a'],
      [key('b'), key('a'), true, '["a","b"]'],
      [key('a'), {}, true, 'a'],
      [key('a'), { ask: true }, true, undefined],
      [{ ask: true }, key('a'), true, undefined],
      [{}, {}, false, undefined],
    ];
    for (const [first, second, ask, askKey] of rows) {
      const found = await rounds(first, second);
      assert.ok(found.kind === 'allowed');
      const key = found.asker?.by === 'hook' ? found.asker.key : undefined;
      assert.deepEqual([found.asker !== undefined, key], [ask, askKey]);
    }
  });

  test('promise 51: a cancelled call rejects at once, and no further hook is called', async () => {
    const later: string[] = [];
    const abort = new AbortController();
    const hooks = [
      () => new Promise<undefined>((resolve) => setTimeout(resolve, 5)),
      ({ name }: HookedCall) => void later.push(name),
    ];
    const options = new Hooks({ beforeToolCall: hooks });
    const running = consultHooks(options, RESOLVED, async () => RESOLVED, abort.signal);
    abort.abort(new Error('cancelled'));
    await assert.rejects(running, /cancelled/);
    await new Promise((resolve) => setTimeout(resolve, 10));
    assert.deepEqual(later, []);
  });

  test("promise 51: a denial of what the schema makes of a hook's arguments holds", async () => {
    const change: BeforeToolCall = ({ arguments: { text } }) =>
      text === 'B' ? { deny: 'Not B.' } : { arguments: { text: 'b' } };
    const found = await consulted(change, RESOLVED, async (input) => {
      return { ...RESOLVED, input, final: { text: 'B' } };
    });
    assert.equal(found.kind, 'denied');
  });

  test('promise 51: a hook that mutates its argument changes nothing', async () => {
    const resolved = plainCall('c1', 'send', { text: 'a' });
    const found = await consulted((call) => {
      call.arguments.text = 'z';
      return undefined;
    }, resolved);
    assert.ok(found.kind === 'allowed' && !found.isChanged);
    assert.deepEqual(found.resolved.final, { text: 'a' });
  });

  test('a hook that returns equal arguments changes nothing, and the call stays the same object', async () => {
    const found = await consulted(({ arguments: given }) => ({ arguments: { ...given } }));
    assert.ok(found.kind === 'allowed' && !found.isChanged);
    assert.equal(found.resolved, RESOLVED);
  });

  test('each hook sees the arguments of the hook before it, and the last arguments count', async () => {
    const seen: unknown[] = [];
    const append: BeforeToolCall = ({ arguments: given }) => {
      seen.push(given.text);
      return { arguments: { text: `${given.text}!` } };
    };
    const found = await consulted([append, () => undefined, append]);
    assert.deepEqual(seen, ['A', 'A!']);
    assert.ok(found.kind === 'allowed');
    assert.deepEqual(found.resolved.final, { text: 'A!!' });
  });

  test('an input that is no object is shown as `{ input }` and unwrapped again', async () => {
    for (const final of ['text', 7, null, undefined, [1], true]) {
      const resolved = plainCall('c1', 'send', final);
      const seen: unknown[] = [];
      await consulted((call) => void seen.push(call.arguments), resolved);
      assert.deepEqual(seen, [{ input: final }]);
      const found = await consulted(() => ({ arguments: { input: 'other' } }), resolved);
      assert.ok(found.kind === 'allowed');
      assert.equal(found.resolved.final, 'other');
      const whole = await consulted(() => ({ arguments: { input: 1, more: 2 } }), resolved);
      assert.ok(whole.kind === 'allowed');
      assert.deepEqual(whole.resolved.final, { input: 1, more: 2 });
    }
    const record = await consulted(() => ({ arguments: { input: 1 } }));
    assert.ok(record.kind === 'allowed');
    assert.deepEqual(record.resolved.final, { input: 1 });
  });

  test('promise 51: a change of type alone is a change', async () => {
    const resolved = plainCall('c1', 'send', { at: new Date(0) });
    const found = await consulted(
      () => ({ arguments: { at: new Date(0).toISOString() } }),
      resolved,
    );
    assert.ok(found.kind === 'allowed' && found.isChanged);
  });
});
