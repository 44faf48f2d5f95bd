// test: harm
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type WithOptions } from '../../src/index.ts';
import { ENDPOINTS, type Endpoint, modelOn } from '../endpoints.test-support.ts';
import { BRIDGE, DISPATCH } from '../scenarios.test-support.ts';
import { resultsOn } from '../wire.test-support.ts';

const circle: Record<string, unknown> = { a: 1 };
circle.self = circle;

/** A circle whose number of paths doubles with each level. */
const wide: Record<string, unknown> = {};
wide.left = wide;
wide.right = wide;

const refuse = (): never => {
  throw new Error('not to be read');
};
const deep = Array.from({ length: 10_000 }).reduce<unknown>((inner) => [inner], 1);
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();

/** Values that JSON cannot hold. */
const ODD: Readonly<Record<string, unknown>> = {
  'a circle': circle,
  'a wide circle': wide,
  'ten thousand levels': deep,
  'a toJSON that throws': { toJSON: refuse },
  'a getter that throws': Object.defineProperty({}, 'a', { get: refuse, enumerable: true }),
  'a revoked proxy': revoked,
};
const THROWN: Readonly<Record<string, unknown>> = {
  ...ODD,
  'a bigint': 10n,
  'a symbol': Symbol('a'),
  nothing: undefined,
  'an error whose message is a getter': Object.defineProperty(new Error('a'), 'message', {
    get: refuse,
  }),
  'an error whose message is a circle': Object.assign(new Error('a'), { message: circle }),
};

const WAYS = {
  dispatch: DISPATCH.call('pay', { n: 1 }),
  bridge: BRIDGE.call('pay', { n: 1 }),
  eager: { name: 'pay', arguments: { n: 1 } },
} as const;

interface Trial {
  readonly way: keyof typeof WAYS;
  readonly execute?: () => unknown;
  readonly toModelOutput?: () => unknown;
  readonly given?: WithOptions;
}

/** Plays one call. Returns the number of runs and what the model got. */
async function play({ way, execute = () => 'paid', toModelOutput, given = {} }: Trial) {
  let runs = 0;
  const pay = tool({
    inputSchema: z.object({ n: z.any() }),
    execute: () => {
      runs++;
      return execute();
    },
    ...(toModelOutput ? { toModelOutput: toModelOutput as never } : {}),
  });
  await using server = await startModelServer({
    script: [{ calls: [WAYS[way]] }, { text: 'Done.' }, { text: 'Yes.' }],
  });
  const model = modelOn(server, ENDPOINTS[0] as Endpoint);
  const tools = { pay } as ToolSet;
  const fields = createFold({ tools, strategy: way, onWarning: false }).with(model, given);
  const { text, responseMessages } = await generateText({
    ...fields,
    prompt: 'Go.',
    stopWhen: isStepCount(3),
  });
  assert.equal(text, 'Done.');
  // The conversation goes on from what a store holds.
  const stored = JSON.parse(JSON.stringify(responseMessages));
  const messages = [
    { role: 'user', content: 'Go.' },
    ...stored,
    { role: 'user', content: 'Paid?' },
  ];
  assert.equal((await generateText({ ...fields, messages })).text, 'Yes.');
  const result = JSON.stringify(resultsOn(server.requests[1] ?? assert.fail()));
  return { runs, result };
}

const ways = Object.keys(WAYS) as (keyof typeof WAYS)[];

describe('a value that JSON cannot hold ends no response', () => {
  const makers: Readonly<Record<string, (error: unknown) => Omit<Trial, 'way'>>> = {
    'by the tool': (error) => ({
      execute: () => {
        throw error;
      },
    }),
    'by a hook after it': (error) => ({
      given: { hooks: { afterToolCall: () => ({ error }) } },
    }),
    'by an observer': (error) => ({
      given: {
        observers: {
          settled: () => {
            throw error;
          },
        },
      },
    }),
  };
  for (const [where, make] of Object.entries(makers))
    test(`thrown ${where}: the call fails, and ran once`, async () => {
      for (const way of ways)
        for (const [what, error] of Object.entries(THROWN)) {
          const { runs } = await play({ way, ...make(error) });
          assert.equal(runs, 1, `${way}, ${what}`);
        }
    });

  test('returned: a remark stands for it, and the call ran once', async () => {
    for (const way of ways)
      for (const [what, output] of Object.entries(ODD)) {
        const { runs, result } = await play({ way, execute: () => output });
        assert.equal(runs, 1, `${way}, ${what}`);
        assert.match(result, /The tool has run/, `${way}, ${what}`);
      }
  });

  test('arguments of a hook: the call is denied, and nothing runs', {
    timeout: 60_000,
  }, async () => {
    for (const way of ways)
      for (const [what, value] of Object.entries(ODD)) {
        const given = { hooks: { beforeToolCall: () => ({ arguments: { n: value } as never }) } };
        const { runs, result } = await play({ way, given });
        assert.equal(runs, 0, `${way}, ${what}`);
        assert.match(result, /denied/, `${way}, ${what}`);
      }
  });

  test('a bigint of a hook that a number holds is that number', async () => {
    for (const way of ways) {
      const given = { hooks: { beforeToolCall: () => ({ arguments: { n: 10n } as never }) } };
      assert.equal((await play({ way, given })).runs, 1);
    }
  });
});

describe('a `toModelOutput` that fails', () => {
  const failures: readonly (() => unknown)[] = [
    ...Object.values(THROWN).map((error) => () => {
      throw error;
    }),
    () => Promise.reject(new Error('no such view')),
  ];
  test('is a text that says that the tool has run, and the conversation goes on', async () => {
    for (const way of ways)
      for (const toModelOutput of failures) {
        const { runs, result } = await play({ way, toModelOutput });
        assert.equal(runs, 1);
        assert.match(result, /The tool has run\. Its `toModelOutput` failed/);
      }
  });
});

describe('an answer of `toModelOutput` that is no output of the AI SDK', () => {
  const answers: readonly unknown[] = [
    { type: 'content', value: [{ type: 'text' }] },
    { type: 'unknown', value: 1 },
    { type: 'text', value: 1 },
    'paid',
    undefined,
    { type: 'json', value: circle },
    Promise.resolve({ type: 'unknown' }),
  ];
  test('is a text with a remark, and the conversation goes on', async () => {
    for (const way of ways)
      for (const answer of answers) {
        const { runs, result } = await play({ way, toModelOutput: () => answer });
        assert.equal(runs, 1);
        assert.match(result, /The tool has run/);
      }
  });

  test('is used where it is one, also with a date in it', async () => {
    for (const way of ways) {
      const value = { at: new Date(0) };
      const { result } = await play({ way, toModelOutput: () => ({ type: 'json', value }) });
      assert.match(result, /1970-01-01/);
      assert.doesNotMatch(result, /The tool has run/);
    }
  });
});
