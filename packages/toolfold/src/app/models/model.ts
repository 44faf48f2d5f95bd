import { splitModelName } from '@toolfold/core/internal/models/table';
import type { LanguageModel } from 'ai';
import { importOptional, usageError } from '../terminal/index.ts';
import { withMarkedTexts } from './marked-texts.ts';
import { isOllama, ollamaWindow } from './ollama-window.ts';
import type { Endpoint } from './providers.ts';
import { LOCAL_PORTS, WELL_KNOWN } from './well-known.ts';
import { WindowWatch } from './window-watch.ts';

export interface LoadedModel {
  readonly model: LanguageModel;
  /** Where it is served. Undefined: where the package of its provider says. */
  readonly address?: string | undefined;
  /** A secret that must never be shown. Undefined if no key is set. */
  readonly key: string | undefined;
  /** What to do if the provider refuses the key. It names the variable of the key. */
  readonly keyAdvice: string;
  /** Where the server cuts long requests without an error. */
  readonly window?: WindowWatch | undefined;
}

/**
 * Loads a model by its name with the AI SDK package of its provider, which is imported now. Rejects with
 * `invalid-option` for an address that is no URL or is not known, and for a missing key, and with
 * `missing-dependency` with the package to install.
 */
export async function loadModel(name: string, endpoint: Endpoint): Promise<LoadedModel> {
  const { provider, modelId } = splitModelName(name);
  checkUrl(endpoint);
  const { key } = endpoint;
  const advice = `Set the variable ${endpoint.keys.join(', or ')}.`;
  if (key === undefined && endpoint.needsKey)
    throw usageError(`No API key is set for ${provider}.`, advice);
  const model = await makeModel(endpoint, modelId);
  const unsent =
    endpoint.keys.length === 0 ? 'No key is sent there.' : `No key was sent. ${advice}`;
  const keyAdvice = key
    ? `The key came from the variable ${key.variable}. Set it to a key that is valid there and may use this model.`
    : unsent;
  const { address } = endpoint;
  const window =
    address !== undefined && isOllama(endpoint)
      ? new WindowWatch(name, () => ollamaWindow(address, modelId))
      : undefined;
  return { model, address, key: key?.value, keyAdvice, window };
}

async function makeModel(
  { provider, protocol, address: baseURL, key }: Endpoint,
  modelId: string,
): Promise<LanguageModel> {
  const user = `A model of ${provider}`;
  const apiKey = key?.value;
  if (protocol === 'anthropic') {
    const load = () => import('@ai-sdk/anthropic');
    const { createAnthropic } = await importOptional('@ai-sdk/anthropic', user, load);
    return createAnthropic({ apiKey, baseURL, name: `${provider}.messages` })(modelId);
  }
  if (protocol === 'openai') {
    const load = () => import('@ai-sdk/openai');
    const { createOpenAI } = await importOptional('@ai-sdk/openai', user, load);
    return createOpenAI({ apiKey, baseURL, name: provider }).responses(modelId);
  }
  if (baseURL === undefined)
    throw usageError(
      `The address of ${provider} is not known.`,
      `Give the URL of its OpenAI-compatible endpoint with --base-url, or in "providers" of the configuration. Without it: ${Object.keys({ ...WELL_KNOWN, ...LOCAL_PORTS }).join(', ')}.`,
    );
  const load = () => import('@ai-sdk/openai-compatible');
  const { createOpenAICompatible } = await importOptional('@ai-sdk/openai-compatible', user, load);
  return createOpenAICompatible({
    ...{ name: provider, baseURL, apiKey, includeUsage: true },
    transformRequestBody: withMarkedTexts,
  })(modelId);
}

function checkUrl({ address, keys: [variable] }: Endpoint): void {
  if (address === undefined) return;
  const parsed = URL.parse(address);
  if (!/^https?:$/.test(parsed?.protocol ?? ''))
    throw usageError(
      'The value of --base-url is not a URL.',
      'Write the complete URL, such as http://127.0.0.1:11434/v1.',
    );
  if (parsed?.username || parsed?.password)
    throw usageError(
      'The value of --base-url contains a user name or a password.',
      `Leave both out, and set the key in the variable ${variable}.`,
    );
}
