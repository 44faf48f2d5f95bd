import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { NativeForm } from '@toolfold/core/internal/models/capabilities.ts';
import type { OwnCapability } from '@toolfold/core/internal/models/lookup.ts';
import type { ModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { WireProvider } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { type Dialect, NATIVE } from './scenarios.test-support.ts';

/** One API of a real provider. */
export interface Endpoint {
  readonly name: string;
  readonly provider: WireProvider;
  /** Whether requests contain earlier reasoning. */
  readonly reasons: boolean;
  readonly model: (baseUrl: string, modelId?: string) => LanguageModelV4;
}

const apiKey = 'test';

/** The four endpoints on which every promise about the wire is tested. */
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

/** The model of the endpoint, on a scripted server. */
export function modelOn(
  server: ModelServer,
  endpoint: Endpoint,
  modelId?: string,
): LanguageModelV4 {
  return endpoint.model(server.baseUrl(endpoint.provider), modelId);
}

/** One endpoint for each form of `native`. */
export interface NativeEndpoint extends Endpoint {
  readonly form: NativeForm;
  readonly capabilities: readonly OwnCapability[];
  readonly settings?: Readonly<Record<string, unknown>>;
}

const [anthropic, responses, , compatible] = ENDPOINTS as readonly [
  Endpoint,
  Endpoint,
  Endpoint,
  Endpoint,
];

function native(form: NativeForm, on: Endpoint, modelId: string, settings = {}): NativeEndpoint {
  const row = { provider: '*', model: '*', forms: [form] };
  return {
    ...on,
    name: form,
    form,
    model: (baseUrl, id = modelId) => on.model(baseUrl, id),
    capabilities: [row],
    settings,
  };
}

export const NATIVE_ENDPOINTS: readonly NativeEndpoint[] = [
  native('anthropic-inline', anthropic, 'claude-opus-5-5'),
  native('anthropic-reference', anthropic, 'claude-opus-5-5'),
  native('anthropic-search', anthropic, 'claude-sonnet-4-5'),
  native('openai-additional', responses, 'gpt-5.6'),
  // `store: false`, so that the provider sends each call in full and not as a reference.
  native('openai-search', responses, 'gpt-5.6', { providerOptions: { openai: { store: false } } }),
  native('system-tools', compatible, 'kimi-k3'),
];

/** The model and settings for a form. */
export function dialectOf(form: NativeForm): Dialect {
  if (form === 'anthropic-search') return { ...NATIVE, loaded: /^(github__\w+\n?)+$/ };
  if (form !== 'openai-search') return NATIVE;
  const load: Dialect['load'] = (...args) => ({ ...NATIVE.load(...args), name: 'tool_search' });
  return { ...NATIVE, loader: 'tool_search', loaded: /"type":"namespace"/, load };
}
