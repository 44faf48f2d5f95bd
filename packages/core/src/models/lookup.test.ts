import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ToolfoldError } from '../errors.ts';
import type { ModelCapability, NativeForm } from './capabilities.ts';
import { modelFromName, nativeFormsOf, pricesOf } from './lookup.ts';
import type { ModelPrices } from './prices.ts';

const CHANGES: NativeForm[] = ['anthropic-inline', 'anthropic-reference', 'anthropic-search'];
const SEARCH: NativeForm[] = ['anthropic-search'];
const OPENAI: NativeForm[] = ['openai-additional', 'openai-search'];
const READ = { source: 'a test', date: '2026-01-01' };

const FORMS: readonly (readonly [provider: string, modelId: string, forms: NativeForm[]])[] = [
  ['anthropic.messages', 'claude-fable-5', CHANGES],
  ['anthropic.messages', 'claude-fable-5-1', CHANGES],
  ['anthropic.messages', 'claude-fable-5-2', CHANGES],
  ['anthropic.messages', 'claude-mythos-5', CHANGES],
  ['anthropic.messages', 'claude-opus-4-8', CHANGES],
  ['anthropic.messages', 'claude-opus-5', CHANGES],
  ['anthropic.messages', 'claude-opus-5-5', CHANGES],
  ['anthropic.messages', 'claude-sonnet-5-5', CHANGES],
  ['anthropic.messages', 'claude-haiku-5-5', CHANGES],
  ['Anthropic.Messages', 'Claude-Opus-5-5', CHANGES],
  ['anthropic.messages', 'claude-sonnet-5', SEARCH],
  ['anthropic.messages', 'claude-opus-4-7', SEARCH],
  ['anthropic.messages', 'claude-opus-4-5-20251101', SEARCH],
  ['anthropic.messages', 'claude-sonnet-4-5-20250929', SEARCH],
  ['anthropic.messages', 'claude-haiku-4-5', SEARCH],
  ['anthropic.messages', 'claude-opus-4-1', []],
  ['anthropic.messages', 'claude-opus-4-1-20250805', []],
  ['anthropic.messages', 'claude-sonnet-4-20250514', []],
  ['anthropic.messages', 'claude-3-haiku-20240307', []],
  ['anthropic.messages', 'a-model-of-tomorrow', []],
  ['bedrock.anthropic.messages', 'us.anthropic.claude-opus-5-5', []],
  ['googleVertex.anthropic.messages', 'claude-opus-5-5', []],
  ['gateway', 'anthropic/claude-opus-5.5', []],
  ['openrouter.chat', 'anthropic/claude-opus-5.5', []],
  ['openai.responses', 'gpt-5.4', OPENAI],
  ['openai.responses', 'gpt-5.4-2026-03-05', OPENAI],
  ['openai.responses', 'gpt-5.4-mini', OPENAI],
  ['openai.responses', 'gpt-5.4-mini-2026-03-17', OPENAI],
  ['openai.responses', 'gpt-5.5', OPENAI],
  ['openai.responses', 'gpt-5.6-sol', OPENAI],
  ['openai.responses', 'gpt-6-astra', OPENAI],
  ['openai.responses', 'gpt-6.1-terra', OPENAI],
  ['openai.responses', 'gpt-5.4-nano', []],
  ['openai.responses', 'gpt-5.5-pro', []],
  ['openai.responses', 'gpt-5.6-cyber', []],
  ['openai.responses', 'gpt-5.3', []],
  ['openai.responses', 'gpt-5.3-codex', []],
  ['openai.responses', 'gpt-5', []],
  ['openai.responses', 'gpt-4.1', []],
  ['openai.chat', 'gpt-5.6-sol', []],
  ['openai.chat', 'kimi-k3', []],
  ['azure.responses', 'gpt-5.5', ['openai-search']],
  ['azure.responses', 'gpt-5.3-codex', []],
  ['azure.chat', 'gpt-5.5', []],
  ['moonshotai.chat', 'kimi-k3', ['system-tools']],
  ['moonshotai.chat', 'kimi-k3.1-pro-highspeed', ['system-tools']],
  ['moonshotai-cn.chat', 'kimi-k3', ['system-tools']],
  ['fireworks.chat', 'accounts/fireworks/models/kimi-k3', ['system-tools']],
  ['moonshotai.chat', 'kimi-k2.7-code', []],
  ['vllm.chat', 'kimi-k3', []],
  ['google.generative-ai', 'gemini-4-argon', []],
];

const PRICED: readonly (readonly [
  provider: string,
  modelId: string,
  write: number,
  read: number,
  minPrefix: number | undefined,
])[] = [
  ['anthropic.messages', 'claude-fable-5', 1.25, 0.1, 512],
  ['anthropic.messages', 'claude-fable-5-1', 1.25, 0.025, 512],
  ['anthropic.messages', 'claude-fable-5-2', 1.25, 0.025, 512],
  ['anthropic.messages', 'claude-mythos-5', 1.25, 0.1, 512],
  ['anthropic.messages', 'claude-opus-5', 1.25, 0.1, 512],
  ['anthropic.messages', 'claude-opus-5-5', 1.25, 0.05, 512],
  ['anthropic.messages', 'claude-opus-4-8', 1.25, 0.1, 1024],
  ['anthropic.messages', 'claude-opus-4-7', 1.25, 0.1, 2048],
  ['anthropic.messages', 'claude-opus-4-1', 1.25, 0.1, 1024],
  ['anthropic.messages', 'claude-opus-4-20250514', 1.25, 0.1, 1024],
  ['anthropic.messages', 'claude-sonnet-5', 1.25, 0.1, 1024],
  ['anthropic.messages', 'claude-sonnet-5-5', 1.25, 0.05, 512],
  ['anthropic.messages', 'claude-haiku-4-5', 1.25, 0.1, 4096],
  ['anthropic.messages', 'claude-haiku-5-5', 1.25, 0.1, 512],
  ['bedrock.anthropic.messages', 'us.anthropic.claude-opus-4-5-20251101-v1:0', 1.25, 0.1, 4096],
  ['gateway', 'anthropic/claude-opus-5.5', 1.25, 0.05, 512],
  ['openrouter.chat', 'anthropic/claude-fable-5.1', 1.25, 0.025, 512],
  ['openai.responses', 'gpt-6.1-sol', 1.25, 0.05, 1024],
  ['openai.responses', 'gpt-6-luna', 1.25, 0.1, 1024],
  ['openai.responses', 'gpt-5.6-sol', 1.25, 0.1, 1024],
  ['openai.responses', 'gpt-5.4-mini', 1, 0.1, 1024],
  ['openai.responses', 'gpt-5.4-pro', 1, 1, undefined],
  ['openai.chat', 'gpt-4.1', 1, 0.25, 1024],
  ['azure.responses', 'GPT-4o', 1, 0.5, 1024],
  ['google.generative-ai', 'gemini-4-argon', 1, 0.05, 4096],
  ['google.generative-ai', 'gemini-3.8-flash', 1, 0.1, 4096],
  ['google.vertex.chat', 'gemini-2.5-pro', 1, 0.1, 2048],
  ['google.generative-ai', 'gemini-3.5-flash-lite', 1, 0.1, undefined],
  ['xai.responses', 'grok-4.7', 1, 0.25, undefined],
  ['deepseek.chat', 'deepseek-flash', 1, 0.02, undefined],
  ['deepseek.chat', 'deepseek-v4-pro', 1, 0.033, undefined],
  ['moonshotai.chat', 'kimi-k3', 1, 0.1, undefined],
  ['moonshotai.chat', 'kimi-k3.1-pro-highspeed', 1, 0.05, undefined],
  ['mistral.chat', 'mistral-large-4', 1, 0.1, undefined],
  ['alibaba.chat', 'qwen3.7-max', 1, 0.2, 1024],
];

suite('native forms', () => {
  for (const [provider, modelId, forms] of FORMS) {
    test(`of ${provider} ${modelId}: ${forms.join(', ') || 'none'}`, () => {
      assert.deepEqual(nativeFormsOf({ provider, modelId }), forms);
    });
  }

  test('are those of the first own row that matches', () => {
    const model = { provider: 'anthropic.messages', modelId: 'claude-opus-5-5' };
    const off: ModelCapability = { provider: '*', model: '*opus*', forms: [], ...READ };
    const search: ModelCapability = { ...off, forms: ['anthropic-search'] };
    assert.deepEqual(nativeFormsOf(model, [off]), []);
    assert.deepEqual(nativeFormsOf(model, [search, off]), ['anthropic-search']);
    assert.deepEqual(nativeFormsOf({ ...model, modelId: 'claude-fable-5' }, [off]), CHANGES);
  });

  test('can be given to a model without a row', () => {
    const own: ModelCapability = {
      provider: 'VLLM.*',
      model: 'Kimi-*',
      forms: ['system-tools'],
      ...READ,
    };
    assert.deepEqual(nativeFormsOf({ provider: 'vllm.chat', modelId: 'kimi-k3' }, [own]), [
      'system-tools',
    ]);
  });
});

suite('cache prices', () => {
  for (const [provider, modelId, write, read, minPrefix] of PRICED) {
    test(`of ${provider} ${modelId}`, () => {
      const prices = pricesOf({ provider, modelId });
      assert.deepEqual([prices?.write, prices?.read, prices?.minPrefix], [write, read, minPrefix]);
    });
  }

  test('are unknown for local servers and other hosts of open weights', () => {
    for (const [provider, modelId] of [
      ['ollama.chat', 'qwen3:8b'],
      ['vllm.chat', 'openai/gpt-oss-120b'],
      ['llama-cpp.chat', 'deepseek-v4-flash'],
      ['fireworks.chat', 'accounts/fireworks/models/kimi-k3'],
      ['anthropic.messages', 'claude-mythos-5-2'],
    ] as const) {
      assert.equal(pricesOf({ provider, modelId }), undefined, `${provider} ${modelId}`);
    }
  });

  test('are those of an own row where it matches', () => {
    const own: ModelPrices = { provider: 'ollama.*', model: '*', write: 1, read: 0.01, ...READ };
    assert.equal(pricesOf({ provider: 'ollama.chat', modelId: 'qwen3:8b' }, [own]), own);
    const model = { provider: 'openai.responses', modelId: 'gpt-5.6-sol' };
    assert.equal(pricesOf(model, [own])?.write, 1.25);
    assert.equal(pricesOf(model, [{ ...own, provider: 'openai.*' }])?.read, 0.01);
  });
});

suite('typed names of models', () => {
  for (const [name, provider, modelId] of [
    ['anthropic/claude-opus-5-5', 'anthropic.messages', 'claude-opus-5-5'],
    ['openai/gpt-5.6-sol', 'openai.responses', 'gpt-5.6-sol'],
    ['moonshotai/kimi-k3', 'moonshotai.chat', 'kimi-k3'],
    ['gateway/anthropic/claude-opus-5.5', 'gateway', 'anthropic/claude-opus-5.5'],
    ['ollama/qwen3:8b', 'ollama', 'qwen3:8b'],
  ] as const) {
    test(`${name} is ${modelId} of ${provider}`, () => {
      assert.deepEqual(modelFromName(name), { provider, modelId });
    });
  }

  test('need a provider and a name', () => {
    for (const name of ['', 'gpt-5', '/gpt-5', 'openai/']) {
      assert.throws(
        () => modelFromName(name),
        (error) => error instanceof ToolfoldError && error.code === 'invalid-option',
      );
    }
  });
});
