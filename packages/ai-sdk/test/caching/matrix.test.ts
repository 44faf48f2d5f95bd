import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { generateText, isStepCount, type ModelMessage, streamText, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type Fold, type FoldOptions, type WithOptions } from '../../src/index.ts';
import { groups, ownTools } from '../folds.test-support.ts';
import { PROVIDERS, type Provider } from './providers.test-support.ts';
import { marksIn, withoutMarks } from './without-marks.test-support.ts';

type Body = Readonly<Record<string, unknown>>;

/** A turn with several calls at once, an answer, and the begin of the next turn. */
const CONVERSATION: readonly ModelMessage[] = [
  { role: 'user', content: 'Look at three things.' },
  {
    role: 'assistant',
    content: ['a', 'b', 'c'].map((id) => ({
      type: 'tool-call',
      toolCallId: `call_${id}`,
      toolName: 'ask',
      input: { question: id },
    })),
  },
  {
    role: 'tool',
    content: ['a', 'b', 'c'].map((id) => ({
      type: 'tool-result',
      toolCallId: `call_${id}`,
      toolName: 'ask',
      output: { type: 'text', value: `Answer ${id}.` },
    })),
  },
  { role: 'assistant', content: 'They are fine.' },
  { role: 'user', content: [{ type: 'text', text: 'And the fourth?' }] },
];
/** The lengths of the requests of the conversation. */
const REQUESTS = [1, 3, 5];

interface Sending {
  readonly mode?: 'generate' | 'stream';
  readonly fold?: FoldOptions<ToolSet>;
  readonly view?: WithOptions;
  readonly messages?: readonly ModelMessage[];
  readonly settings?: object;
}

/** Sends a request, and returns the body. The provider refuses it, which the package takes for an answer. */
async function send(provider: Provider, sending: Sending = {}): Promise<Body> {
  const { mode = 'generate', messages = CONVERSATION, view = {} } = sending;
  const bodies: Body[] = [];
  const model = provider.model(async (_, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return new Response('{"message":"recorded"}', { status: 400 });
  });
  const options: FoldOptions<ToolSet> = {
    ...{ tools: ownTools([]), groups: groups([]), strategy: 'dispatch', onWarning: false },
    ...sending.fold,
  };
  const fold = createFold(options) as Fold<ToolSet>;
  const request = {
    ...fold.with(model, view),
    ...{ instructions: 'Be brief.', messages: [...messages], maxRetries: 0 },
    ...{ stopWhen: isStepCount(1), onError: () => {} },
    ...sending.settings,
  };
  if (mode === 'generate') await generateText(request).catch(() => {});
  else await streamText(request).consumeStream({ onError: () => {} });
  assert.equal(bodies.length, 1);
  return bodies[0] ?? {};
}

/** The texts that end at marks, and what stands around them: enough to see where a mark is. */
function markedIn(body: unknown): string[] {
  const found: string[] = [];
  let last = '';
  JSON.stringify(body, function (this: unknown, key, value) {
    if (
      ['cache_control', 'cachePoint', 'prompt_cache_breakpoint'].includes(key) &&
      value !== undefined
    ) {
      const holder = key === 'cachePoint' ? last : JSON.stringify(this);
      found.push(holder);
    }
    if (
      typeof value === 'object' &&
      value !== null &&
      !('cachePoint' in value) &&
      !Array.isArray(value)
    )
      last = JSON.stringify(value);
    return value;
  });
  return found;
}

const placesOf = (body: Body): string[] =>
  markedIn(body).map((text) => {
    const known = /Be brief|Look at three|Answer c|They are fine|And the fourth/.exec(text);
    return known?.[0] ?? text;
  });

const EXPECTED: Readonly<Record<number, readonly string[]>> = {
  1: ['Be brief', 'Look at three'],
  3: ['Be brief', 'Look at three', 'Answer c'],
  5: ['Be brief', 'Answer c', 'And the fourth'],
};

describe('promise 6: each provider is asked as its package takes it', () => {
  for (const provider of PROVIDERS) {
    test(`promise 6: ${provider.name}: marks where the table says, and all other bytes are the same`, async () => {
      for (const mode of ['generate', 'stream'] as const)
        for (const length of REQUESTS) {
          const messages = CONVERSATION.slice(0, length);
          const asked = await send(provider, { mode, messages });
          const plain = await send(provider, { mode, messages, fold: { cache: false } });
          const expected = { all: EXPECTED[length], frozen: ['Be brief'], none: [] }[
            provider.marks
          ];
          assert.deepEqual(placesOf(asked), expected, `${mode}, ${length} messages`);
          assert.equal(marksIn(asked), expected?.length);
          assert.equal(marksIn(plain), 0);
          assert.equal(withoutMarks(asked), withoutMarks(plain));
        }
    });
  }

  test('promise 6: another process sets the same marks, also in a fork', async () => {
    for (const provider of PROVIDERS) {
      const stored: ModelMessage[] = JSON.parse(JSON.stringify(CONVERSATION));
      const resumed = await send(provider, { messages: stored });
      assert.equal(JSON.stringify(resumed), JSON.stringify(await send(provider)), provider.name);
      const fork: ModelMessage[] = [
        ...stored.slice(0, 4),
        { role: 'user', content: 'And the fifth?' },
      ];
      const [first, second] = placesOf(await send(provider, { messages: fork }));
      const expected = {
        all: ['Be brief', 'Answer c'],
        frozen: ['Be brief', undefined],
        none: [undefined, undefined],
      };
      assert.deepEqual([first, second], expected[provider.marks], provider.name);
    }
  });

  test('promise 6: without a system text the last tool carries the mark, where it can', async () => {
    for (const provider of PROVIDERS.filter(({ marks }) => marks === 'all')) {
      const body = await send(provider, {
        fold: { tools: ownTools([]), groups: [], strategy: 'eager' },
        settings: { instructions: undefined },
      });
      const tools = markedIn(body.tools);
      assert.equal(tools.length, provider.onTools ? 1 : 0, provider.name);
      assert.equal(marksIn(body), provider.onTools ? 3 : 2, provider.name);
    }
  });

  test('promise 6: an hour is asked for only where a provider takes it, and stands before five minutes', async () => {
    for (const provider of PROVIDERS.filter(({ marks }) => marks === 'all'))
      for (const length of REQUESTS) {
        const messages = CONVERSATION.slice(0, length);
        const body = await send(provider, { messages, fold: { cache: { ttl: '1h' } } });
        const times = markedIn(body).map((text) => (text.includes('"ttl":"1h"') ? '1h' : '5m'));
        const hours = { 1: ['1h', '1h'], 3: ['1h', '1h', '5m'], 5: ['1h', '1h', '1h'] }[length];
        assert.deepEqual(times, provider.hour ? hours : hours?.map(() => '5m'), provider.name);
      }
  });

  test('a key goes to the providers that take one, and to no other', async () => {
    for (const provider of PROVIDERS) {
      const keyed = await send(provider, { view: { cache: { key: 'talk-1' } } });
      const keys = JSON.stringify(keyed).split('"prompt_cache_key":"talk-1"').length - 1;
      assert.equal(keys, provider.takesKey ? 1 : 0, provider.name);
      assert.ok(!JSON.stringify(await send(provider)).includes('cache_key'));
    }
  });
});

describe('promise 6: nothing is asked', () => {
  const never = async (sending: Sending, expected = 0) => {
    for (const provider of PROVIDERS.filter(({ marks }) => marks !== 'none'))
      assert.ok(marksIn(await send(provider, sending)) <= expected, provider.name);
  };
  const mark = (provider: string, key: string) => ({
    [provider]: { [key]: { type: 'ephemeral' } },
  });

  test('promise 6: with `cache: false`, with the strategy `false`, and without tools of the fold', async () => {
    await never({ view: { cache: false } });
    await never({ fold: { strategy: false, groups: [] } });
    await never({ fold: { strategy: false } });
    await never({ settings: { tools: undefined } });
    const other = { other: tool({ inputSchema: z.object({}), execute: () => 1 }) };
    await never({ fold: { strategy: 'eager', groups: [], tools: {} }, settings: { tools: other } });
  });

  test('promise 6: if the app has set any option of a cache, in any spelling and anywhere', async () => {
    const user = CONVERSATION[0] as ModelMessage;
    const rows: readonly (readonly [string, string])[] = [
      ['anthropic', 'cacheControl'],
      ['anthropic', 'cache_control'],
      ['bedrock', 'cachePoint'],
      ['openrouter', 'cacheControl'],
      ['openaiCompatible', 'cache_control'],
      ['openai', 'promptCacheBreakpoint'],
      ['gateway', 'caching'],
      ['a-proxy', 'cacheControl'],
    ];
    const unknown = ['gateway', 'a-proxy'];
    for (const provider of PROVIDERS.filter(({ marks }) => marks !== 'none')) {
      const asked = marksIn(await send(provider));
      for (const [name, key] of rows) {
        const providerOptions = mark(name, key);
        const parts = [{ type: 'text', text: 'Look.', providerOptions }];
        const last = tool({ inputSchema: z.object({}), providerOptions });
        const sendings: readonly Sending[] = [
          { messages: [{ ...user, providerOptions }, ...CONVERSATION.slice(1)] as ModelMessage[] },
          {
            messages: [
              { role: 'user', content: parts },
              ...CONVERSATION.slice(1),
            ] as ModelMessage[],
          },
          { fold: { tools: { ...ownTools([]), last } as ToolSet } },
        ];
        const isOption = unknown.includes(name) || provider.reads?.includes(name);
        for (const sending of sendings) {
          const marks = marksIn(await send(provider, sending));
          const what = `${provider.name}, ${name}.${key}: ${marks} of ${asked}`;
          if (isOption) assert.ok(marks <= 1, what);
          else assert.equal(marks, asked, what);
        }
      }
    }
    await never({ settings: { providerOptions: { google: { caching: 'auto' } } } });
    const keyed = { settings: { providerOptions: { openai: { promptCacheKey: 'own' } } } };
    for (const provider of PROVIDERS.filter(({ marks }) => marks !== 'none')) {
      const body = await send(provider, { ...keyed, view: { cache: { key: 'talk-1' } } });
      const isOption = provider.reads?.includes('openai');
      assert.equal(marksIn(body) === 0, isOption === true, provider.name);
    }
  });
});
