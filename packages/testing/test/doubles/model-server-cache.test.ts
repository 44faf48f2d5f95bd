import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, type LanguageModel, stepCountIs, streamText, tool } from 'ai';
import {
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '../../src/doubles/model-server.ts';

const asked = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const;
const askedForHour = { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } } as const;

/** More than 1,024 tokens, the minimum of the models here. */
const LONG = 'The notes of the release name every open part. '.repeat(200);

const claude = (server: ModelServer): LanguageModel =>
  createAnthropic({ baseURL: server.baseUrl('anthropic'), apiKey: 'none' })('claude-sonnet-4-5');
const openai = (server: ModelServer) =>
  createOpenAI({ baseURL: server.baseUrl('openai-responses'), apiKey: 'none' });

type Settings = Omit<Parameters<typeof generateText>[0], 'model' | 'prompt' | 'messages'>;

const say = (providerOptions = {}, description = 'Says it.') => ({
  say: tool({
    description,
    inputSchema: jsonSchema<Record<string, unknown>>({ type: 'object' }),
    execute: () => 'said',
    providerOptions,
  }),
});

/** The usage of each of two requests: a call, then the answer. */
async function usages(
  modelOf: (server: ModelServer) => LanguageModel,
  settings: Settings = {},
  how: 'generate' | 'stream' = 'generate',
  options: Pick<ModelServerOptions, 'cache'> = {},
) {
  const script = [{ calls: [{ name: 'say', arguments: {} }] }, { text: 'Done.' }];
  await using server = await startModelServer({ script, ...options });
  const all = {
    ...{ tools: say(), model: modelOf(server), prompt: LONG, maxRetries: 0 },
    ...{ stopWhen: stepCountIs(3), ...settings },
  } as Parameters<typeof generateText>[0];
  const steps =
    how === 'generate' ? (await generateText(all)).steps : await streamText(all as never).steps;
  return steps.map(({ usage: { inputTokens = 0, inputTokenDetails: details } }) => ({
    input: inputTokens,
    read: details.cacheReadTokens ?? 0,
    written: details.cacheWriteTokens ?? 0,
  }));
}

suite('the cache of the scripted model', () => {
  for (const how of ['generate', 'stream'] as const) {
    test(`Anthropic, ${how}: only a request that asks reads and writes`, async () => {
      for (const { read, written } of await usages(claude, {}, how)) {
        assert.deepEqual([read, written], [0, 0]);
      }
      const [first, second] = await usages(claude, { providerOptions: asked }, how);
      assert.ok(first && second);
      assert.deepEqual([first.read, first.written], [0, first.input]);
      assert.deepEqual([second.read, second.written], [first.input, second.input - first.input]);
    });
  }

  test('Anthropic: a mark on a tool saves up to that tool', async () => {
    const [first, second] = await usages(
      claude,
      { tools: { ...say(asked), long: say({}, LONG).say } },
      'generate',
      { cache: { minimum: 1 } },
    );
    assert.ok(first && second);
    assert.ok(first.written > 0 && first.written < 100);
    assert.deepEqual([second.read, second.written], [first.written, 0]);
  });

  test('Anthropic: what has expired is written again, by the clock of the test', async () => {
    let time = 0;
    const cache = { now: () => time };
    const onStepFinish = (): void => {
      time += 301_000;
    };
    const settings = (providerOptions: typeof asked | typeof askedForHour): Settings => ({
      providerOptions,
      onStepFinish,
    });
    const [, short] = await usages(claude, settings(asked), 'generate', { cache });
    assert.equal(short?.read, 0);
    const [first, long] = await usages(claude, settings(askedForHour), 'generate', { cache });
    assert.equal(long?.read, first?.input);
  });

  test('Anthropic: the marks of the SDK are at most four, and writes are split by their time', async () => {
    await using server = await startModelServer({ script: [{ text: 'Done.' }] });
    const content = ['a', 'b', 'c', 'd'].map((word) => ({
      ...{ type: 'text', text: `${word} ${LONG}` },
      providerOptions: word === 'a' ? askedForHour : asked,
    }));
    const { providerMetadata } = await generateText({
      model: claude(server),
      tools: say(askedForHour),
      messages: [{ role: 'user', content }],
      maxRetries: 0,
    } as Parameters<typeof generateText>[0]);
    const marks = JSON.stringify(server.requests[0]?.body).match(/"cache_control"/g);
    assert.equal(marks?.length, 4);
    const { usage } = (providerMetadata?.anthropic ?? {}) as {
      usage?: { cache_creation_input_tokens: number; cache_creation: Record<string, number> };
    };
    const split = usage?.cache_creation ?? {};
    const { ephemeral_5m_input_tokens: short = 0, ephemeral_1h_input_tokens: long = 0 } = split;
    assert.ok(short > 0 && long > 0);
    assert.equal(short + long, usage?.cache_creation_input_tokens);
  });

  for (const how of ['generate', 'stream'] as const) {
    test(`OpenAI, ${how}: caches by itself, from GPT-5.6 on with a price for writes`, async () => {
      for (const modelOf of [
        (server: ModelServer) => openai(server).responses('gpt-5'),
        (server: ModelServer) => openai(server).chat('gpt-4.1'),
      ]) {
        const [first, second] = await usages(modelOf, {}, how);
        assert.ok(first && second);
        assert.equal(second.read, first.input - (first.input % 128));
        assert.deepEqual([first.written, second.written], [0, 0]);
      }
      const [first, second] = await usages(
        (server) => openai(server).responses('gpt-5.6'),
        {},
        how,
      );
      assert.ok(first && second);
      assert.deepEqual([second.read, second.written], [first.input, second.input - first.input]);
    });
  }
});
