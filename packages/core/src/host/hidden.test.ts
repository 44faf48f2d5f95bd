import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { APICallError, RetryError } from 'ai';
import { ToolfoldError } from '../errors.ts';
import { execute } from './execute.ts';
import { hidden } from './held-output.ts';
import { Hooks } from './hooks.ts';

const KEY = 'swordfish-0123456789';
const hide = (text: string): string => text.replaceAll(KEY, '[redacted]');

test('secrets are hidden in texts, names and lists of a value, and nothing else is changed', () => {
  const date = new Date(0);
  const plain = { a: ['b', { c: 1, date }], d: null };
  assert.equal(hidden(plain, hide), plain);
  assert.deepEqual(hidden({ a: [`x ${KEY}`, { [KEY]: 1, date }], d: null }, hide), {
    a: ['x [redacted]', { '[redacted]': 1, date }],
    d: null,
  });
  const value = hidden({ ['__proto__']: 1, a: KEY }, hide);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  const own = JSON.parse(`{"__proto__":{"x":"${KEY}"}}`);
  assert.equal(JSON.stringify(hidden(own, hide)), '{"__proto__":{"x":"[redacted]"}}');
});

const call = new APICallError({
  message: `wrong key ${KEY}`,
  url: `https://example.com/?key=${KEY}`,
  requestBodyValues: { text: [KEY] },
  statusCode: 401,
  responseHeaders: { 'x-key': KEY },
  responseBody: `{"error":"${KEY}"}`,
  cause: new Error(`because of ${KEY}`),
});

const errors: readonly (readonly [string, unknown])[] = [
  ['an error', new Error(`wrong ${KEY}`)],
  ['an error of a class', new ToolfoldError('invalid-option', `wrong ${KEY}`, `use ${KEY}`)],
  ['a cause', new Error('outer', { cause: new Error(KEY) })],
  ['an error of the AI SDK', call],
  [
    'a repeated call',
    new RetryError({ message: KEY, reason: 'maxRetriesExceeded', errors: [call] }),
  ],
  ['several errors', new AggregateError([new Error(KEY)], KEY)],
  ['a text', `wrong ${KEY}`],
  ['an object', { message: KEY }],
];

for (const [name, error] of errors)
  test(`a thrown value shows no secret and keeps its class: ${name}`, async () => {
    const shown = hidden(error, hide);
    assert.doesNotMatch(inspect(shown, { depth: 9, showHidden: true }), new RegExp(KEY));
    assert.equal(Object.getPrototypeOf(shown), Object.getPrototypeOf(error));
    if (APICallError.isInstance(error)) assert.ok(APICallError.isInstance(shown));
    const options = {
      hooks: new Hooks(undefined, () => {}),
      ...{ observers: [], onExecute: undefined, runWith: undefined, isConverted: false },
      check: () => {},
      hide,
    };
    const failing = [
      () => {
        throw error;
      },
      async () => {
        throw error;
      },
      // biome-ignore lint/correctness/useYield: it fails before its first value
      async function* () {
        throw error;
      },
    ];
    for (const run of failing) {
      for (const observers of [[], [{}]]) {
        const given = { id: 'a', name: 'a', input: {} };
        const work = async () => {
          const output = await execute(given, run, { ...options, observers });
          for await (const _ of output as AsyncIterable<unknown>);
        };
        const thrown: unknown = await work().catch((reason: unknown) => reason);
        assert.doesNotMatch(inspect(thrown, { depth: 9 }), new RegExp(KEY));
      }
    }
  });

test('results of each form are hidden before observers and callers have them', async () => {
  const forms: readonly (() => unknown)[] = [
    () => ({ text: KEY }),
    async () => ({ text: KEY }),
    async function* () {
      yield { text: `${KEY} 1` };
      yield { text: KEY };
    },
    async () =>
      (async function* () {
        yield { text: KEY };
      })(),
  ];
  for (const run of forms)
    for (const isConverted of [true, false])
      for (const isObserved of [true, false]) {
        const seen: unknown[] = [];
        const settled = (_: unknown, outcome: unknown) => seen.push(outcome);
        const output = await execute({ id: 'a', name: 'a', input: {} }, run, {
          hooks: new Hooks(undefined, () => {}),
          observers: isObserved ? [{ settled }] : [],
          ...{ onExecute: undefined, runWith: undefined, isConverted, hide },
          check: () => {},
        });
        const all = Symbol.asyncIterator in Object(output) ? [] : [output];
        if (all.length === 0)
          for await (const one of output as AsyncIterable<unknown>) all.push(one);
        assert.deepEqual(all.at(-1), { text: '[redacted]' });
        assert.doesNotMatch(JSON.stringify([all, seen]), new RegExp(KEY));
      }
});

class Client {
  readonly apiKey = KEY;
}

class Sealed extends Error {
  readonly #text = `wrong ${KEY}`;
  override get message(): string {
    return this.#text;
  }
}

test('an object of a class is what JSON writes of it, where that has a secret', () => {
  const objects = [
    new Client(),
    new URL(`https://example.com/?key=${KEY}`),
    Object(`x ${KEY}`),
    { toJSON: () => KEY },
    new (class {
      toJSON() {
        return { key: KEY };
      }
    })(),
    new Map([[KEY, [KEY]]]),
    new Set([KEY]),
    Object.defineProperty({}, 'key', { enumerable: true, get: () => KEY }),
  ];
  for (const value of objects)
    for (const around of [value, [value], { value: { value } }]) {
      assert.doesNotMatch(JSON.stringify(hidden(around, hide)), new RegExp(KEY));
      assert.doesNotMatch(inspect(hidden(around, hide), { depth: 9 }), new RegExp(KEY));
    }
  for (const value of [new URL('https://example.com/'), new Map([[1, 2]]), Buffer.from(KEY)])
    assert.equal(hidden(value, hide), value);
});

test('an error whose message no copy can read is a plain error without the secret', () => {
  const cause = new Error(KEY);
  for (const error of [new DOMException(KEY, 'AbortError'), new Sealed(undefined, { cause })]) {
    const shown = hidden(error, hide);
    assert.match(shown.message, /\[redacted\]/);
    assert.equal(shown.name, error.name);
    assert.doesNotMatch(inspect(shown, { depth: 9, showHidden: true }), new RegExp(KEY));
  }
  const fine = new DOMException('stopped', 'AbortError');
  assert.equal(hidden(fine, hide), fine);
});

test('a secret is hidden at any depth: what is too deep to be searched is left out', () => {
  for (const depth of [90, 400, 5_000, 100_000]) {
    let value: unknown = { text: KEY };
    for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { inner: value };
    let found: unknown = hidden(value, hide);
    while (typeof found === 'object' && found !== null && !('text' in found))
      found = Array.isArray(found) ? found[0] : Object.values(found)[0];
    const shown = typeof found === 'string' ? found : JSON.stringify(found);
    assert.doesNotMatch(shown, new RegExp(KEY), String(depth));
  }
});

test('a value that holds itself is searched once, in bounded time, and stays as it is without a secret', () => {
  const circle = (text: string): Record<string, unknown> => {
    const value: Record<string, unknown> = { text };
    const error: Error & { more?: unknown } = new Error(text);
    error.cause = error;
    error.more = value;
    return Object.assign(value, { a: value, b: [value, value], error, again: error });
  };
  const plain = circle('nothing');
  assert.equal(hidden(plain, hide), plain);
  assert.doesNotMatch(
    inspect(hidden(circle(KEY), hide), { depth: 20, showHidden: true }),
    new RegExp(KEY),
  );
  // Each level stands twice in the one around it.
  let wide: unknown = { text: KEY };
  for (let level = 0; level < 200; level++) wide = { one: wide, other: wide };
  let count = 0;
  hidden(wide, (text) => {
    count += 1;
    return hide(text);
  });
  assert.ok(count < 1_000, String(count));
});
