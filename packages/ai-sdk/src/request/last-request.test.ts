import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { StrategyChoice } from '@toolfold/core/internal/tool/strategies.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { everyValue, isQuick, product } from '@toolfold/testing/test/combinations.test-support.ts';
import { generateText, type ModelMessage, type ToolSet } from 'ai';
import fc from 'fast-check';
import { Conversation } from '../../test/conversation.test-support.ts';
import {
  dialectOf,
  ENDPOINTS,
  type Endpoint,
  modelOn,
  NATIVE_ENDPOINTS,
} from '../../test/endpoints.test-support.ts';
import { foldOptions } from '../../test/folds.test-support.ts';
import { DISPATCH } from '../../test/scenarios.test-support.ts';
import {
  createFold,
  type Fold,
  type FoldOptions,
  type MessageHistory,
  type RequestEvent,
} from '../index.ts';

const CREATE = 'github__create_issue';
const BOOM = 'github__explode';

interface Way {
  readonly name: string;
  readonly strategy: StrategyChoice;
  readonly endpoint: Endpoint;
  readonly capabilities?: (typeof NATIVE_ENDPOINTS)[number]['capabilities'];
  readonly call: typeof DISPATCH.call;
  readonly load: typeof DISPATCH.load;
}

const plainCall: Way['call'] = (name, input) => ({ name, arguments: input as object });
const [anthropic = assert.fail(), , chat = assert.fail()] = ENDPOINTS;
const { call, load } = DISPATCH;
const WAYS: readonly Way[] = [
  { name: 'dispatch', strategy: 'dispatch', endpoint: anthropic, call, load },
  { name: 'dispatch, OpenAI', strategy: 'dispatch', endpoint: chat, call, load },
  { name: 'inject', strategy: 'inject', endpoint: anthropic, call: plainCall, load },
  { name: 'eager', strategy: 'eager', endpoint: anthropic, call: plainCall, load },
  ...NATIVE_ENDPOINTS.map((endpoint): Way => {
    const { form, capabilities } = endpoint;
    const name = `native, ${form}`;
    const dialect = dialectOf(form);
    return {
      name,
      strategy: 'native',
      endpoint,
      capabilities,
      call: plainCall,
      load: dialect.load,
    };
  }),
];

function foldOf(way: Way, events: RequestEvent[]): Fold<ToolSet> {
  const { strategy, capabilities } = way;
  return createFold({
    ...foldOptions([]),
    strategy,
    onWarning: false,
    ...(capabilities ? { capabilities } : {}),
    onRequest: (event) => events.push(event),
  } as FoldOptions<ToolSet>) as unknown as Fold<ToolSet>;
}

/** Messages of a conversation with loads, results, and a call that fails again and again. */
async function talkOf(way: Way, title: string): Promise<ModelMessage[]> {
  const script: Reply[] = [
    { calls: [way.load('mcp:github')] },
    { text: 'First.', calls: [way.call(CREATE, { title }), way.call(BOOM, {})] },
    { calls: [way.call(BOOM, {})] },
    { text: 'Done.' },
    { calls: [way.call(CREATE, { title: 'again' })] },
    { text: `Done with ${title}.` },
    { text: 'Nothing more.' },
  ];
  await using server = await startModelServer({ script });
  const fold = foldOf(way, []);
  const model = modelOn(server, way.endpoint);
  const talk = new Conversation({ mode: 'stream', route: 'live', model, fold: () => fold });
  for (const text of ['Go.', `More of ${title}.`, 'And now?']) await talk.say(text);
  return talk.messages;
}

/** A model that keeps what it gets as text, and then changes it in place, as middleware of an app may. */
function recording({ provider, modelId }: LanguageModelV4) {
  const sent: string[] = [];
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    doStream: () => Promise.reject(new Error('Nothing here streams.')),
    doGenerate: async ({ prompt, tools }: LanguageModelV4CallOptions) => {
      sent.push(JSON.stringify({ prompt, tools }));
      for (const message of prompt) {
        message.providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
        if (message.role === 'system') message.content += '!';
        else message.content.splice(0, 1);
      }
      return {
        content: [{ type: 'text', text: 'Well.' }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      };
    },
  };
  return { model, sent };
}

const bytes = (n: number): ModelMessage => ({
  role: 'user',
  content: [{ type: 'file', mediaType: 'image/png', data: new Uint8Array(9).fill(n) }],
});

/** What one request says: which conversation, how much of it, and what is changed in it. */
const asked = fc.record({
  which: fc.nat(2),
  length: fc.nat(20),
  change: fc.option(fc.record({ at: fc.nat(20), how: fc.constantFrom('text', 'bytes', 'gone') })),
  inPlace: fc.boolean(),
});

/** A host that names its lists of messages. */
class Host implements MessageHistory {
  id: readonly ModelMessage[] = [];
  after: object = {};
  changed = 0;

  ask(list: readonly ModelMessage[]): void {
    const before = this.id;
    const at = before.findIndex((message, index) => message !== list[index]);
    Object.assign(this, { id: list, after: before, changed: at < 0 ? 0 : before.length - at });
  }
}

const CASES = product({ way: WAYS as readonly Way[], isNamed: [false, true] });
/** Each case tries lists of requests: these, then random ones. */
const GROWING = [[growing(0)], [growing(2)]] as [ReturnType<typeof growing>][];

describe('a request is sent and described alike, whatever the last one was', () => {
  for (const { way, isNamed } of isQuick ? everyValue(CASES) : CASES)
    test(`${way.name}${isNamed ? ', by hosts that name their lists' : ''}`, async () => {
      const talk = await talkOf(way, 'one');
      const talks = [talk, await talkOf(way, 'two'), withFewIds(talk)];
      const { provider, modelId } = way.endpoint.model('http://127.0.0.1:1');
      await fc.assert(
        fc.asyncProperty(fc.array(asked, { minLength: 2, maxLength: 8 }), async (requests) => {
          const events: [RequestEvent[], RequestEvent[]] = [[], []];
          const recorded = events.map(() => recording({ provider, modelId } as LanguageModelV4));
          const folds = events.map((list) => foldOf(way, list));
          const own = structuredClone(talks);
          const hosts = [...own, []].map(() => new Host());
          const ask = async (n: number, messages: ModelMessage[], which = own.length) => {
            const { model } = recorded[n] ?? assert.fail();
            const host = isNamed && n === 0 ? hosts[which] : undefined;
            host?.ask(messages);
            const options = host ? { history: host } : {};
            const fields = (folds[n] ?? assert.fail()).with(model, options);
            await generateText({ ...fields, messages });
          };
          await ask(0, [{ role: 'user', content: 'Another conversation.' }]);
          for (const { which, length, change, inPlace } of requests) {
            const talk = own[which] ?? assert.fail();
            // Hosts that name their lists have another object for each change.
            if (inPlace && isNamed) own[which] = structuredClone(talk);
            if (inPlace) changeResult(own[which] ?? talk);
            const messages = changed((own[which] ?? talk).slice(0, length), change);
            messages.push({ role: 'user', content: 'What is next?' });
            // Here the last request is always another one.
            await ask(1, [{ role: 'user', content: 'Another conversation.' }]);
            for (const n of [0, 1]) await ask(n, messages, which);
            const [one, other] = recorded.map(({ sent }) => sent.at(-1));
            assert.equal(one, other);
            const [seen, fresh] = events.map((list) => described(list.at(-1)));
            assert.deepEqual(seen, fresh);
          }
        }),
        { numRuns: isQuick ? 1 : 10, examples: GROWING },
      );
    });
});

/** A conversation that grows by one message at a time, and is then cut again. */
function growing(which: number) {
  const lengths = Array.from({ length: 14 }, (_, length) => length);
  return [...lengths, ...lengths.toReversed()].map((length) => {
    return { which, length, change: null, inPlace: false };
  });
}

/** The messages of an endpoint that uses the same call ids in each response. */
function withFewIds(messages: readonly ModelMessage[]): ModelMessage[] {
  let names = new Map<string, string>();
  return messages.map((message) => {
    if (message.role === 'assistant') names = new Map();
    return JSON.parse(JSON.stringify(message), (key, value) => {
      if (key !== 'toolCallId') return value;
      if (!names.has(value)) names.set(value, `call_${names.size}`);
      return names.get(value);
    });
  });
}

function changed(
  messages: ModelMessage[],
  change: { at: number; how: string } | null,
): ModelMessage[] {
  // A call without its result cannot be sent.
  while (messages.at(-1)?.role === 'assistant' && JSON.stringify(messages.at(-1)).includes('-call'))
    messages.pop();
  const at = change ? messages.findIndex(({ role }, n) => n >= change.at && role === 'user') : -1;
  if (!change || at < 0) return messages;
  const by = { text: [{ role: 'user' as const, content: 'Else.' }], bytes: [bytes(at)], gone: [] };
  return messages.toSpliced(at, 1, ...by[change.how as keyof typeof by]);
}

/** Changes a result in place, as an app may. */
function changeResult(messages: ModelMessage[]): void {
  for (const { role, content } of messages)
    for (const part of role === 'tool' ? content : [])
      if (part.type === 'tool-result' && part.output.type === 'json')
        Object.assign(part.output.value as object, { changes: messages.length });
}

function described(event: RequestEvent | undefined) {
  return { ...event, texts: event?.texts?.(), last: event?.texts?.(event.segments.slice(-2)) };
}

test('what the last request had is not counted again', async () => {
  const counted: string[] = [];
  const count = (text: string) => counted.push(text);
  const fold = createFold({
    ...foldOptions([]),
    strategy: 'dispatch',
    countTokens: count,
    onRequest: () => {},
  } as FoldOptions<ToolSet>);
  const { model } = recording({ provider: 'test', modelId: 'test' } as LanguageModelV4);
  const { model: folded, tools } = fold.with(model);
  const ask = (...texts: string[]) =>
    generateText({
      model: folded,
      tools: tools as ToolSet,
      messages: texts.map((content) => ({ role: 'user' as const, content })),
    });
  await ask('one', 'two');
  await ask('one', 'two', 'three');
  for (const text of ['one', 'two', 'three'])
    assert.equal(counted.filter((one) => one === text).length, 1);
});
