import type { LanguageModel } from 'ai';
import { ToolfoldError } from '../../errors.ts';
import { splitModelName } from '../../models/table/index.ts';
import { importOptional } from '../terminal/index.ts';

/** A model by its typed name, and where and with what it is reached. */
export interface ModelQuery {
  /** `provider/name`; only the first slash divides. */
  readonly name: string;
  readonly baseUrl?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface LoadedModel {
  readonly model: LanguageModel;
  /** What must never be shown; absent where the endpoint asks for none. */
  readonly key: string | undefined;
  /** What to do where the provider refuses the key: names the variable that it came from. */
  readonly keyAdvice: string;
}

/** Where a model may be named, the first that is set counts. */
export interface ModelSources {
  readonly flag?: string | undefined;
  readonly role?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The variable that names the model where neither flag nor role does. */
const MODEL_VARIABLE = 'TOOLFOLD_MODEL';
/** The variable with the key where the provider has none of its own. */
const KEY_VARIABLE = 'TOOLFOLD_API_KEY';

/** Providers with a package of their own; all others are spoken to as OpenAI-compatible. */
const OWN_PACKAGE = ['anthropic', 'openai'];

/** The name of the model to use; throws `invalid-option`, with the ways to name one, for none. */
export function modelNameFrom({ flag, role, env }: ModelSources): string {
  const name = flag ?? role ?? (env[MODEL_VARIABLE] || undefined);
  if (name !== undefined) return name;
  throw new ToolfoldError(
    'invalid-option',
    'No model is named.',
    `Name one as provider/name: with --model, as "model" of a role in the configuration, or in ${MODEL_VARIABLE}. ` +
      'A local server: --model local/qwen3 --base-url http://127.0.0.1:11434/v1.',
  );
}

/**
 * The model through the AI SDK package of its provider, which is imported now. Throws
 * `invalid-option` for a malformed name or URL and a missing key, and `missing-dependency` naming
 * the package to install.
 */
export async function loadModel({ name, baseUrl, env }: ModelQuery): Promise<LoadedModel> {
  const { provider, modelId } = splitModelName(name);
  const keyVariable = `${provider.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_API_KEY`;
  if (baseUrl !== undefined) checkUrl(baseUrl, keyVariable);
  const used = [keyVariable, KEY_VARIABLE].find((variable) => env[variable]);
  const apiKey = used === undefined ? undefined : env[used];
  if (apiKey === undefined && OWN_PACKAGE.includes(provider)) {
    throw new ToolfoldError(
      'invalid-option',
      `There is no key for ${provider}.`,
      `Set the variable ${keyVariable}, or ${KEY_VARIABLE}.`,
    );
  }
  const model = await makeModel({ provider, modelId, apiKey, baseURL: baseUrl });
  const keyAdvice =
    used === undefined
      ? `No key was sent. Set the variable ${keyVariable}, or ${KEY_VARIABLE}.`
      : `The key came from the variable ${used}. Set it to a key that is valid there and may use this model.`;
  return { model, key: apiKey, keyAdvice };
}

/**
 * As `loadModel`, for the models of one run: `baseUrl` is where the provider of `name` is reached.
 * Others are at their makers: no provider's key is sent to the address of another one.
 */
export function modelLoader(own: ModelQuery): (name: string) => Promise<LoadedModel> {
  const { provider } = splitModelName(own.name);
  return (name) => {
    const isOwn = splitModelName(name).provider === provider;
    return loadModel({ ...own, name, baseUrl: isOwn ? own.baseUrl : undefined });
  };
}

interface ModelSettings {
  readonly provider: string;
  readonly modelId: string;
  readonly apiKey: string | undefined;
  readonly baseURL: string | undefined;
}

async function makeModel(settings: ModelSettings): Promise<LanguageModel> {
  const { provider, modelId, apiKey, baseURL } = settings;
  const what = `A model of ${provider}`;
  if (provider === 'anthropic') {
    const load = () => import('@ai-sdk/anthropic');
    const { createAnthropic } = await importOptional('@ai-sdk/anthropic', what, load);
    return createAnthropic({ apiKey, baseURL })(modelId);
  }
  if (provider === 'openai') {
    const load = () => import('@ai-sdk/openai');
    const { createOpenAI } = await importOptional('@ai-sdk/openai', what, load);
    return createOpenAI({ apiKey, baseURL }).responses(modelId);
  }
  if (baseURL === undefined) {
    throw new ToolfoldError(
      'invalid-option',
      `The address of ${provider} is not known.`,
      `Give the URL of its OpenAI-compatible endpoint with --base-url; known without one are ${OWN_PACKAGE.join(' and ')}.`,
    );
  }
  const load = () => import('@ai-sdk/openai-compatible');
  const { createOpenAICompatible } = await importOptional('@ai-sdk/openai-compatible', what, load);
  return createOpenAICompatible({ name: provider, baseURL, apiKey, includeUsage: true })(modelId);
}

function checkUrl(url: string, keyVariable: string): void {
  const parsed = URL.parse(url);
  if (!/^https?:$/.test(parsed?.protocol ?? '')) {
    throw new ToolfoldError(
      'invalid-option',
      'The value of --base-url is not a URL.',
      'Write it whole, such as http://127.0.0.1:11434/v1.',
    );
  }
  if (parsed?.username || parsed?.password) {
    throw new ToolfoldError(
      'invalid-option',
      'The value of --base-url holds a user name or a password.',
      `Leave them out, and set a key in the variable ${keyVariable}.`,
    );
  }
}
