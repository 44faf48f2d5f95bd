// test: harm
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import type { ToolHooks } from '../../src/index.ts';
import {
  KINDS,
  logging,
  type Part,
  type Prompt,
  resultsIn,
  scripted,
} from '../policy/attacks.test-support.ts';
import {
  calling,
  callingTool,
  each,
  foldOf,
  START,
  STRATEGIES,
  type Turn,
  turn,
} from './attacks.test-support.ts';

const INPUT = { text: 'a' };
const REASON = 'Not on a Friday.';
const SECRET = 'the raw result';

class Denial {
  readonly deny = REASON;
}
class Getter {
  get deny(): string {
    return REASON;
  }
}
const hidden = (): object => Object.defineProperty({}, 'deny', { value: REASON });
const throwing = (): object =>
  Object.defineProperty({}, 'deny', {
    enumerable: true,
    get: () => {
      throw new Error(REASON);
    },
  });

/** What `beforeToolCall` may return that is no verdict, or a denial in an odd form. */
const VERDICTS: Readonly<Record<string, () => unknown>> = {
  null: () => null,
  false: () => false,
  true: () => true,
  'a number': () => 0,
  'a text': () => '',
  'a symbol': () => Symbol('deny'),
  'a bigint': () => 0n,
  'a function': () => () => undefined,
  'an array': () => [],
  'an Error': () => new Error(REASON),
  'a Response': () => new Response(REASON, { status: 403 }),
  'a Map': () => new Map([['deny', REASON]]),
  'a Set': () => new Set(['deny']),
  'a Date': () => new Date(0),
  'a regular expression': () => /deny/,
  bytes: () => new Uint8Array(2),
  'a URL': () => new URL('https://example.com/deny'),
  'a boxed boolean': () => Object(false),
  'an object with a symbol key': () => ({ [Symbol('deny')]: REASON }),
  'an instance with a denial': () => new Denial(),
  'an inherited denial': () => Object.create({ deny: REASON }),
  'a getter of a class': () => new Getter(),
  'a getter': () => ({
    get deny() {
      return REASON;
    },
  }),
  'a getter that throws': throwing,
  'a denial that is not enumerable': hidden,
  'a denial in an object without a prototype': () =>
    Object.assign(Object.create(null), { deny: REASON }),
  'a proxy that throws': () =>
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error(REASON);
        },
      },
    ),
  'another key': () => ({ denied: REASON }),
  'a denial that is no text': () => ({ deny: { reason: REASON } }),
  'an ask that is no boolean': () => ({ ask: 'yes' }),
  'arguments that are no object': () => ({ arguments: ['b'] }),
  'arguments that are null': () => ({ arguments: null }),
  'arguments that are a Map': () => ({ arguments: new Map([['text', 'b']]) }),
  'a rejected promise': () => Promise.reject(new Error(REASON)),
  'a promise of a promise of null': () => Promise.resolve(Promise.resolve(null)),
  'a thenable of a denial': () => ({
    // biome-ignore lint/suspicious/noThenProperty: this is what is tested
    then: (resolve: (value: unknown) => void) => resolve({ deny: REASON }),
  }),
};

/** What `afterToolCall` may return that is no outcome. `undefined` keeps the outcome. */
const OUTCOMES: Readonly<Record<string, () => unknown>> = {
  null: () => null,
  false: () => false,
  'a text': () => 'redacted',
  'an empty object': () => ({}),
  'both keys': () => ({ output: 'redacted', error: new Error('redacted') }),
  'another key': () => ({ result: 'redacted' }),
  'an array': () => [],
  'an Error': () => new Error('redacted'),
  'an inherited output': () => Object.create({ output: 'redacted' }),
  'a promise of null': () => Promise.resolve(null),
};

/** What `resolveToolCall` may return that is no name. */
const NAMES: Readonly<Record<string, () => unknown>> = {
  null: () => null,
  'a number': () => 5,
  false: () => false,
  'an empty text': () => '',
  'an object': () => ({ name: 'act' }),
  'an object that reads like a name': () => ({ toString: () => 'act', split: () => ['act'] }),
  'a boxed text': () => Object('act'),
  'an array': () => ['act'],
  'a symbol': () => Symbol('act'),
  'a function': () => () => 'act',
  'a promise of a name': () => Promise.resolve('act'),
  'a rejected promise': () => Promise.reject(new Error(REASON)),
};

const ROWS = combinations({
  strategy: STRATEGIES,
  kind: KINDS,
  route: ['generateText', 'streamText', 'agent UI'] as const,
  isPromised: [false, true],
  place: ['alone', 'first', 'last'] as const,
});
type Row = (typeof ROWS)[number];

interface Played extends Turn {
  readonly runs: readonly unknown[];
  readonly prompts: readonly Prompt[];
}

async function play(
  { strategy, kind, route }: Row,
  hooks: ToolHooks,
  call?: Part,
): Promise<Played> {
  const runs: unknown[] = [];
  const prompts: Prompt[] = [];
  const execute = (input: unknown) => {
    runs.push(input);
    return SECRET;
  };
  const model = scripted([[call ?? calling(strategy, kind, INPUT)]], prompts);
  const fields = foldOf(strategy, kind, logging([], { execute }), model, { view: { hooks } });
  return { ...(await turn(route, START, fields)), runs, prompts };
}

/** A hook that returns this, alone or beside one that returns nothing. */
function returning(make: () => unknown, { isPromised, place }: Row): (() => never)[] {
  const odd = () => (isPromised ? Promise.resolve().then(make) : make()) as never;
  const nothing = () => undefined as never;
  if (place === 'alone') return [odd];
  return place === 'first' ? [odd, nothing] : [nothing, odd];
}

function answersOnce({ prompts }: Played): void {
  assert.equal(resultsIn(prompts.at(-1)).length, 1, 'the model gets no result of the call');
}

describe(`hooks that answer oddly, ${selection}`, () => {
  for (const [name, make] of Object.entries(VERDICTS)) {
    test(`promise 51: beforeToolCall returns ${name}: the tool does not run, and the model gets a result`, async () => {
      await each(ROWS, async (row) => {
        const played = await play(row, { beforeToolCall: returning(make, row) });
        assert.deepEqual(played.runs, []);
        assert.deepEqual(played.asked, []);
        answersOnce(played);
      });
    });
  }

  for (const [name, make] of Object.entries(OUTCOMES)) {
    test(`promise 51: afterToolCall returns ${name}: the raw result is in no message and no request`, async () => {
      await each(ROWS, async (row) => {
        const played = await play(row, { afterToolCall: returning(make, row) });
        assert.deepEqual(played.runs, [INPUT]);
        answersOnce(played);
        const { messages, ui, prompts } = played;
        assert.ok(!JSON.stringify({ messages, ui, prompts }).includes(SECRET), 'raw result');
      });
    });
  }

  for (const [name, make] of Object.entries(NAMES)) {
    test(`promise 51: resolveToolCall returns ${name}: no tool runs, and the conversation goes on`, async () => {
      await each(ROWS, async (row) => {
        const unknown = callingTool(row.strategy, row.kind, 'unheard', INPUT);
        const played = await play(row, { resolveToolCall: returning(make, row) }, unknown);
        assert.deepEqual(played.runs, []);
        answersOnce(played);
      });
    });
  }
});
