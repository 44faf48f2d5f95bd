import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { generateText, isStepCount, type ModelMessage, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type Fold, type FoldOptions } from '../../src/index.ts';
import { groups } from '../folds.test-support.ts';
import { marksIn } from './without-marks.test-support.ts';

type Body = Readonly<Record<string, unknown>>;
/** Why the endpoint refuses a body; undefined if it does not. */
type Refuse = (raw: string) => string | undefined;
/** Tokens that the endpoint says were read from its cache. */
type Read = (request: number) => number;

const INPUT = 20_000;

/** An endpoint with Anthropic's format, and what it has received. */
function endpoint(refuse: Refuse = () => undefined, read: Read = () => 100, status = 400) {
  const bodies: Body[] = [];
  const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
    const raw = String(init?.body);
    bodies.push(JSON.parse(raw));
    const message = refuse(raw);
    if (message !== undefined)
      return Response.json(
        { type: 'error', error: { type: 'invalid_request_error', message } },
        { status },
      );
    return Response.json({
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
      content: [{ type: 'text', text: 'Fine.' }],
      usage: {
        ...{ input_tokens: INPUT, output_tokens: 1 },
        cache_read_input_tokens: read(bodies.length),
      },
    });
  };
  return { bodies, model: createAnthropic({ apiKey: 'none', fetch })('claude-opus-5-5') };
}

const newFold = (options: FoldOptions<ToolSet>): Fold<ToolSet> =>
  createFold({ groups: groups([]), strategy: 'dispatch', ...options }) as Fold<ToolSet>;

const ask = (fields: ReturnType<Fold<ToolSet>['with']>, messages: readonly ModelMessage[]) =>
  generateText({ ...fields, messages: [...messages], stopWhen: isStepCount(1), maxRetries: 0 });

const first: readonly ModelMessage[] = [{ role: 'user', content: 'Hi.' }];
const later: readonly ModelMessage[] = [
  ...first,
  { role: 'assistant', content: 'Hello.' },
  { role: 'user', content: 'And?' },
];

const hasMark: Refuse = (raw) =>
  raw.includes('cache_control')
    ? 'system.0.cache_control: Extra inputs are not permitted'
    : undefined;
const hasTime: Refuse = (raw) =>
  raw.includes('"ttl"') ? 'cache_control.ttl: Extra inputs are not permitted' : undefined;

describe('promise 6: an endpoint that refuses marks', () => {
  test('promise 6: the request is sent once without, the endpoint is remembered, and one warning says so', async () => {
    for (const status of [400, 422]) {
      const { bodies, model } = endpoint(hasMark, undefined, status);
      const warnings: string[] = [];
      const fold = newFold({ onWarning: (text) => warnings.push(text) });
      assert.equal((await ask(fold.with(model), first)).text, 'Fine.');
      await ask(fold.with(model), later);
      assert.deepEqual(
        bodies.map((body) => marksIn(body) > 0),
        [true, false, false],
      );
      assert.equal(warnings.length, 1);
      assert.match(
        warnings[0] ?? '',
        new RegExp(`refused the marks.*HTTP ${status}.*\`cache\` to false`),
      );
    }
  });

  test('promise 6: what refuses only an hour is asked for five minutes', async () => {
    const { bodies, model } = endpoint(hasTime);
    const warnings: string[] = [];
    const fold = newFold({ cache: { ttl: '1h' }, onWarning: (text) => warnings.push(text) });
    await ask(fold.with(model), first);
    await ask(fold.with(model), later);
    const times = bodies.map((body) => [marksIn(body), JSON.stringify(body).includes('"ttl"')]);
    assert.deepEqual(times, [
      [2, true],
      [2, false],
      [3, false],
    ]);
    assert.equal(warnings.length, 1);
  });

  test('promise 6: what refuses an hour and then every mark is asked for nothing', async () => {
    const { bodies, model } = endpoint((raw) => hasTime(raw) ?? hasMark(raw));
    const fold = newFold({ cache: { ttl: '1h' }, onWarning: false });
    await ask(fold.with(model), first);
    await ask(fold.with(model), later);
    assert.deepEqual(
      bodies.map((body) => marksIn(body)),
      [2, 2, 0, 0],
    );
  });

  test('promise 6: other failures are the app’s, and change nothing', async () => {
    const { bodies, model } = endpoint(() => 'messages: text is too long');
    const fold = newFold({});
    await assert.rejects(ask(fold.with(model), first), /too long/);
    await assert.rejects(ask(fold.with(model), first), /too long/);
    assert.deepEqual(
      bodies.map((body) => marksIn(body)),
      [2, 2],
    );
    // The message names a mark, and the request fails without marks too.
    const named = endpoint(() => 'The word ephemeral is forbidden.');
    await assert.rejects(ask(fold.with(named.model), first), /forbidden/);
    await assert.rejects(ask(fold.with(named.model), first), /forbidden/);
    assert.deepEqual(
      named.bodies.map((body) => marksIn(body)),
      [2, 0, 2, 0],
    );
  });

  test('promise 6: parallel requests that fail with and without marks leave nothing behind', async () => {
    let isBroken = true;
    const { bodies, model } = endpoint(() =>
      isBroken ? 'cache_control: the gateway is confused' : undefined,
    );
    const warnings: string[] = [];
    const fold = newFold({ cache: { ttl: '1h' }, onWarning: (text) => warnings.push(text) });
    const asked = Array.from({ length: 5 }, () => ask(fold.with(model), first));
    for (const { status } of await Promise.allSettled(asked)) assert.equal(status, 'rejected');
    assert.deepEqual(
      bodies.map((body) => marksIn(body)).toSorted(),
      [0, 0, 0, 0, 0, 2, 2, 2, 2, 2],
    );
    isBroken = false;
    await ask(fold.with(model), first);
    assert.equal(marksIn(bodies.at(-1)), 2);
    assert.match(JSON.stringify(bodies.at(-1)), /"ttl":"1h"/);
    assert.deepEqual(warnings, []);
    assert.match(fold.explain(model).cache, /by marks for an hour/);
  });

  test('promise 6: of parallel refusals the strictest is remembered, with one warning', async () => {
    const { bodies, model } = endpoint((raw) =>
      raw.includes('"And?"') ? hasMark(raw) : hasTime(raw),
    );
    const warnings: string[] = [];
    const fold = newFold({ cache: { ttl: '1h' }, onWarning: (text) => warnings.push(text) });
    await Promise.all(
      [first, later, first, later].map((messages) => ask(fold.with(model), messages)),
    );
    await ask(fold.with(model), first);
    assert.equal(marksIn(bodies.at(-1)), 0);
    assert.ok(warnings.length >= 1);
  });

  test('promise 6: two folds on one model learn it each for itself', async () => {
    const { bodies, model } = endpoint(hasMark);
    for (const fold of [newFold({ onWarning: false }), newFold({ onWarning: false })])
      for (const messages of [first, later]) await ask(fold.with(model), messages);
    assert.deepEqual(
      bodies.map((body) => marksIn(body) > 0),
      [true, false, false, true, false, false],
    );
  });
});

describe('a provider that was asked and reads nothing', () => {
  const warningsOf = async (read: Read, messages = later): Promise<string[]> => {
    const { model } = endpoint(undefined, read);
    const warnings: string[] = [];
    const fold = newFold({ onWarning: (text) => warnings.push(text) });
    for (let request = 0; request < 5; request++) await ask(fold.with(model), messages);
    return warnings;
  };

  test('is named once, with likely reasons', async () => {
    const warnings = await warningsOf(() => 0);
    assert.equal(warnings.length, 1);
    assert.match(
      warnings[0] ?? '',
      /has read nothing in 3 requests.*proxy.*system text.*five minutes/,
    );
  });

  test('is not named if it reads, also without writes, and for first requests', async () => {
    assert.deepEqual(await warningsOf((request) => (request > 1 ? 9_000 : 0)), []);
    assert.deepEqual(await warningsOf(() => 0, first), []);
  });
});

test('the event of a request and explain say what is asked', async () => {
  const { model } = endpoint(hasMark);
  const asked: unknown[] = [];
  const fold = newFold({ onWarning: false, onRequest: ({ cache }) => asked.push(cache) });
  assert.match(fold.explain(model).cache, /^asks for the prompt cache by marks/);
  assert.match(fold.explain(model, { cache: false }).cache, /^asks for no prompt cache/);
  assert.match(fold.explain(model, { strategy: false }).cache, /^asks for no prompt cache/);
  await ask(fold.with(model), first);
  await ask(fold.with(model), later);
  const [before, after] = asked as { marks: number[]; ttl?: string; not?: string }[];
  assert.ok(before && before.marks.length === 2 && before.ttl === '5m');
  assert.deepEqual(
    before.marks,
    before.marks.toSorted((a, b) => a - b),
  );
  assert.deepEqual(after, { marks: [], not: 'refused' });
  assert.match(fold.explain(model).cache, /has refused the marks/);
});

test('explain says for how long', async () => {
  const { model } = endpoint(hasTime);
  const fold = newFold({ cache: { ttl: '1h' }, onWarning: false });
  const cache = () => fold.explain(model).cache;
  assert.match(fold.explain(model, { cache: 'auto' }).cache, /for five minutes, because/);
  assert.match(cache(), /for an hour where it pays/);
  await ask(fold.with(model), first);
  assert.match(cache(), /for five minutes \(the endpoint has refused an hour\)/);
});

describe('promise 6: a mark of the app on a tool', () => {
  const marked = (deferLoading: boolean) => ({
    own: tool({
      ...{ description: 'Answers.', inputSchema: z.object({}), execute: () => 1, deferLoading },
      providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    }),
  });

  test('promise 6: that is deferred gives one warning with the remedy, and explain says it', async () => {
    const { bodies, model } = endpoint();
    const warnings: string[] = [];
    const options = { tools: marked(true), onWarning: (text: string) => warnings.push(text) };
    const fold = newFold(options);
    for (const messages of [first, later]) await ask(fold.with(model), messages);
    assert.deepEqual(
      bodies.map((body) => marksIn(body)),
      [1, 1],
    );
    assert.equal(warnings.length, 1);
    const text =
      /has marked "own" for the prompt cache.*moves to the last declared.*Remove the mark/;
    assert.match(warnings[0] ?? '', text);
    assert.match(fold.explain(model).cache, text);
  });

  test('promise 6: that stays is said by explain alone', async () => {
    const { model } = endpoint();
    const warnings: string[] = [];
    const fold = newFold({ tools: marked(false), onWarning: (text) => warnings.push(text) });
    await ask(fold.with(model), first);
    assert.deepEqual(warnings, []);
    assert.match(fold.explain(model).cache, /has the options of the app.*none of Toolfold$/);
  });
});
