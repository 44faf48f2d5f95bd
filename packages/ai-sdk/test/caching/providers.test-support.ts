import { createAlibaba } from '@ai-sdk/alibaba';
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAmazonBedrockAnthropic } from '@ai-sdk/amazon-bedrock/anthropic';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleVertexAnthropic } from '@ai-sdk/google-vertex/anthropic';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createXai } from '@ai-sdk/xai';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import type { LanguageModel } from 'ai';

type Fetch = typeof globalThis.fetch;

/** One provider package, with a `fetch` instead of a network. */
export interface Provider {
  readonly name: string;
  /** Where marks are expected: everywhere, behind the frozen part only, or nowhere. */
  readonly marks: 'all' | 'frozen' | 'none';
  /** Whether a definition of a tool can carry a mark. */
  readonly onTools?: boolean;
  /** Whether marks of an hour are expected where they are asked for. */
  readonly hour?: boolean;
  readonly takesKey?: boolean;
  /** Under which keys an option of a cache concerns the provider. */
  readonly reads?: readonly string[];
  readonly model: (fetch: Fetch) => LanguageModel;
}

const apiKey = 'none';
const CLAUDE = 'claude-opus-5-5';

const compatible = (name: string, fetch: Fetch) =>
  createOpenAICompatible({ name, apiKey, baseURL: 'http://127.0.0.1:9/v1', fetch });

export const PROVIDERS: readonly Provider[] = [
  {
    reads: ['anthropic'],
    ...{ name: 'anthropic', marks: 'all', onTools: true, hour: true },
    model: (fetch) => createAnthropic({ apiKey, fetch })(CLAUDE),
  },
  {
    reads: ['anthropic'],
    ...{ name: 'vertex', marks: 'all', onTools: true },
    model: (fetch) => {
      const generateAuthToken = async () => apiKey;
      const at = { project: 'p', location: 'global' };
      return createGoogleVertexAnthropic({ ...at, fetch, generateAuthToken })(CLAUDE);
    },
  },
  {
    reads: ['anthropic', 'bedrock'],
    ...{ name: 'bedrock, anthropic', marks: 'all', onTools: true },
    model: (fetch) => {
      const region = 'eu-west-1';
      return createAmazonBedrockAnthropic({ region, apiKey, fetch })(`anthropic.${CLAUDE}`);
    },
  },
  {
    reads: ['bedrock', 'amazonBedrock'],
    ...{ name: 'bedrock, converse', marks: 'all' },
    model: (fetch) =>
      createAmazonBedrock({ region: 'eu-west-1', apiKey, fetch })(`anthropic.${CLAUDE}`),
  },
  {
    reads: ['openrouter', 'anthropic', 'openaiCompatible'],
    ...{ name: 'openrouter', marks: 'all' },
    model: (fetch) => createOpenRouter({ apiKey, fetch })(`anthropic/${CLAUDE}`),
  },
  {
    reads: ['alibaba', 'openaiCompatible'],
    ...{ name: 'alibaba', marks: 'all' },
    model: (fetch) => createAlibaba({ apiKey, fetch })('qwen3.5-max'),
  },
  {
    reads: ['openrouter', 'anthropic', 'openaiCompatible'],
    ...{ name: 'openrouter, openai-compatible', marks: 'all' },
    model: (fetch) => compatible('openrouter', fetch)(`anthropic/${CLAUDE}`),
  },
  {
    reads: ['alibaba', 'openaiCompatible'],
    ...{ name: 'alibaba, openai-compatible', marks: 'all' },
    model: (fetch) => compatible('alibaba', fetch)('qwen3.5-max'),
  },
  {
    reads: ['openai'],
    ...{ name: 'openai, gpt-5.6', marks: 'frozen', takesKey: true },
    model: (fetch) => createOpenAI({ apiKey, fetch }).responses('gpt-5.6'),
  },
  {
    reads: ['openai'],
    ...{ name: 'openai, chat, gpt-5.6', marks: 'frozen', takesKey: true },
    model: (fetch) => createOpenAI({ apiKey, fetch }).chat('gpt-5.6'),
  },
  {
    ...{ name: 'openai, gpt-5.5', marks: 'none', takesKey: true },
    model: (fetch) => createOpenAI({ apiKey, fetch }).responses('gpt-5.5'),
  },
  {
    ...{ name: 'mistral', marks: 'none', takesKey: true },
    model: (fetch) => createMistral({ apiKey, fetch })('mistral-large-latest'),
  },
  {
    ...{ name: 'xai', marks: 'none', takesKey: true },
    model: (fetch) => createXai({ apiKey, fetch })('grok-5'),
  },
  {
    ...{ name: 'openai-compatible', marks: 'none' },
    model: (fetch) => compatible('local', fetch)('m'),
  },
];
