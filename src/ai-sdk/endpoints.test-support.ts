import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelServer, WireProvider } from '../testing/index.ts';

/** One way in which the real providers talk to a model. */
export interface Endpoint {
  readonly name: string;
  readonly provider: WireProvider;
  /** Whether reasoning comes back to the model. */
  readonly reasons: boolean;
  readonly model: (baseUrl: string, modelId?: string) => LanguageModelV4;
}

const apiKey = 'test';

/** The four endpoints every promise about the wire is tested on. */
export const ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'anthropic',
    provider: 'anthropic',
    reasons: true,
    model: (baseURL, id = 'claude-sonnet-4-5') => createAnthropic({ baseURL, apiKey })(id),
  },
  {
    name: 'openai responses',
    provider: 'openai-responses',
    reasons: false,
    model: (baseURL, id = 'gpt-4.1') => createOpenAI({ baseURL, apiKey }).responses(id),
  },
  {
    name: 'openai chat',
    provider: 'openai-chat',
    reasons: false,
    model: (baseURL, id = 'gpt-4.1') => createOpenAI({ baseURL, apiKey }).chat(id),
  },
  {
    name: 'openai-compatible',
    provider: 'openai-chat',
    reasons: true,
    model: (baseURL, id = 'local-model') =>
      createOpenAICompatible({ name: 'local', baseURL, apiKey })(id),
  },
];

/** The endpoint's model behind a scripted server. */
export function modelOn(
  server: ModelServer,
  endpoint: Endpoint,
  modelId?: string,
): LanguageModelV4 {
  return endpoint.model(server.baseUrl(endpoint.provider), modelId);
}
