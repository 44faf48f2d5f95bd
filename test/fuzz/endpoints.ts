import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { NativeForm } from '../../packages/core/src/models.ts';
import type { WireProvider } from '../../packages/testing/src/index.ts';

/** How a provider reaches the scripted server, with a `fetch` that records refusals. */
export interface Connection {
  readonly baseUrl: (provider: WireProvider) => string;
  readonly fetch: typeof fetch;
}

/** One real provider with one of its APIs. To add one, add a row. */
export interface Endpoint {
  readonly name: string;
  readonly weight: number;
  readonly provider: WireProvider;
  readonly modelIds: readonly [string, string];
  readonly model: (connection: Connection, modelId: string) => LanguageModelV4;
  /** The forms of `native` that sessions use with it. */
  readonly forms: readonly NativeForm[];
  /** Settings of each call of the SDK. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

const apiKey = 'test';

export const ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'anthropic',
    weight: 4,
    provider: 'anthropic',
    modelIds: ['claude-opus-5-5', 'claude-sonnet-4-5'],
    model: ({ baseUrl, fetch }, id) =>
      createAnthropic({ baseURL: baseUrl('anthropic'), apiKey, fetch })(id),
    forms: ['anthropic-inline', 'anthropic-reference', 'anthropic-search'],
  },
  {
    name: 'openai responses',
    weight: 2,
    provider: 'openai-responses',
    modelIds: ['gpt-5.6', 'gpt-4.1'],
    model: ({ baseUrl, fetch }, id) =>
      createOpenAI({ baseURL: baseUrl('openai-responses'), apiKey, fetch }).responses(id),
    forms: ['openai-additional'],
  },
  {
    name: 'openai responses, not stored',
    weight: 2,
    provider: 'openai-responses',
    modelIds: ['gpt-5.6', 'gpt-4.1'],
    model: ({ baseUrl, fetch }, id) =>
      createOpenAI({ baseURL: baseUrl('openai-responses'), apiKey, fetch }).responses(id),
    forms: ['openai-additional', 'openai-search'],
    settings: { providerOptions: { openai: { store: false } } },
  },
  {
    name: 'openai chat',
    weight: 2,
    provider: 'openai-chat',
    modelIds: ['gpt-4.1', 'gpt-4.1-mini'],
    model: ({ baseUrl, fetch }, id) =>
      createOpenAI({ baseURL: baseUrl('openai-chat'), apiKey, fetch }).chat(id),
    forms: [],
  },
  {
    name: 'openai-compatible',
    weight: 3,
    provider: 'openai-chat',
    modelIds: ['kimi-k3', 'kimi-k3-fast'],
    model: ({ baseUrl, fetch }, id) =>
      createOpenAICompatible({ name: 'local', baseURL: baseUrl('openai-chat'), apiKey, fetch })(id),
    forms: ['system-tools'],
  },
];
