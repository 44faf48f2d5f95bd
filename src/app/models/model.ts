import type { LanguageModel } from 'ai';
import { ToolfoldError } from '../../errors.ts';
import { splitModelName } from '../../models/table/index.ts';
import { importOptional } from '../terminal/index.ts';

/** A model by the name that the user typed, its address, and the environment with its key. */
export interface ModelQuery {
  /** `provider/name`. Only the first slash separates. */
  readonly name: string;
  readonly baseUrl?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface LoadedModel {
  readonly model: LanguageModel;
  /** A secret that must never be shown. Undefined if no key is set. */
  readonly key: string | undefined;
  /** What to do if the provider refuses the key. It names the variable of the key. */
  readonly keyAdvice: string;
}

/** Where a model may be named. The first that is set is used. */
export interface ModelSources {
  readonly flag?: string | undefined;
  readonly role?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The variable that names the model if neither flag nor role does. */
const MODEL_VARIABLE = 'TOOLFOLD_MODEL';
/** The variable of the key if the provider's own variable is not set. */
const KEY_VARIABLE = 'TOOLFOLD_API_KEY';

/** Providers with a package of their own. All others are treated as OpenAI-compatible. */
const OWN_PACKAGE = ['anthropic', 'openai'];

/** The name of the model to use. Undefined if none is set. */
export function givenModel({ flag, role, env }: ModelSources): string | undefined {
  return flag ?? role ?? (env[MODEL_VARIABLE] || undefined);
}

/** The error of a command that needs a model, with the ways to name one. */
export function noModel(): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    'No model is given.',
    `Give one as provider/name: with --model, as "model" of a role in the configuration, or in the variable ${MODEL_VARIABLE}. ` +
      'A local server: --model local/qwen3 --base-url http://127.0.0.1:11434/v1.',
  );
}

/**
 * Creates the model with the AI SDK package of its provider, which is imported now. Throws
 * `invalid-option` for a malformed name or URL and for a missing key, and `missing-dependency` with
 * the package to install.
 */
async function loadModel({ name, baseUrl, env }: ModelQuery): Promise<LoadedModel> {
  const { provider, modelId } = splitModelName(name);
  const keyVariable = `${provider.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_API_KEY`;
  if (baseUrl !== undefined) checkUrl(baseUrl, keyVariable);
  const setVariable = [keyVariable, KEY_VARIABLE].find((variable) => env[variable]);
  const apiKey = setVariable === undefined ? undefined : env[setVariable];
  if (apiKey === undefined && OWN_PACKAGE.includes(provider)) {
    throw new ToolfoldError(
      'invalid-option',
      `No API key is set for ${provider}.`,
      `Set the variable ${keyVariable}, or ${KEY_VARIABLE}.`,
    );
  }
  const model = await makeModel({ provider, modelId, apiKey, baseURL: baseUrl });
  const keyAdvice =
    setVariable === undefined
      ? `No key was sent. Set the variable ${keyVariable}, or ${KEY_VARIABLE}.`
      : `The key came from the variable ${setVariable}. Set it to a key that is valid there and may use this model.`;
  return { model, key: apiKey, keyAdvice };
}

/**
 * As `loadModel`, for the models of one run. `baseUrl` applies only to the provider of `name`.
 * Other providers use their default address: no provider's key is sent to the address of another
 * provider.
 */
export function modelLoader(main: ModelQuery): (name: string) => Promise<LoadedModel> {
  const { provider } = splitModelName(main.name);
  return (name) => {
    const isSameProvider = splitModelName(name).provider === provider;
    return loadModel({ ...main, name, baseUrl: isSameProvider ? main.baseUrl : undefined });
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
  const user = `A model of ${provider}`;
  if (provider === 'anthropic') {
    const load = () => import('@ai-sdk/anthropic');
    const { createAnthropic } = await importOptional('@ai-sdk/anthropic', user, load);
    return createAnthropic({ apiKey, baseURL })(modelId);
  }
  if (provider === 'openai') {
    const load = () => import('@ai-sdk/openai');
    const { createOpenAI } = await importOptional('@ai-sdk/openai', user, load);
    return createOpenAI({ apiKey, baseURL }).responses(modelId);
  }
  if (baseURL === undefined) {
    throw new ToolfoldError(
      'invalid-option',
      `The address of ${provider} is not known.`,
      `Give the URL of its OpenAI-compatible endpoint with --base-url. Only ${OWN_PACKAGE.join(' and ')} work without it.`,
    );
  }
  const load = () => import('@ai-sdk/openai-compatible');
  const { createOpenAICompatible } = await importOptional('@ai-sdk/openai-compatible', user, load);
  return createOpenAICompatible({ name: provider, baseURL, apiKey, includeUsage: true })(modelId);
}

function checkUrl(url: string, keyVariable: string): void {
  const parsed = URL.parse(url);
  if (!/^https?:$/.test(parsed?.protocol ?? '')) {
    throw new ToolfoldError(
      'invalid-option',
      'The value of --base-url is not a URL.',
      'Write the complete URL, such as http://127.0.0.1:11434/v1.',
    );
  }
  if (parsed?.username || parsed?.password) {
    throw new ToolfoldError(
      'invalid-option',
      'The value of --base-url contains a user name or a password.',
      `Leave both out, and set the key in the variable ${keyVariable}.`,
    );
  }
}
