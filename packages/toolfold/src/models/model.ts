import { splitModelName } from '@toolfold/core/internal/models';
import { isRecord } from '@toolfold/core/internal/values';
import type { ServerEntry } from '@toolfold/mcp/internal/config';
import { entrySecrets } from '@toolfold/mcp/internal/entry-secrets.ts';
import { MIN_KEY, redact, redactValue } from '@toolfold/mcp/internal/redact.ts';
import type { LanguageModel } from 'ai';
import { importOptional, usageError } from '../terminal/index.ts';
import { isOllama, ollamaWindow, WindowWatch } from './ollama-window.ts';
import { type Endpoint, LOCAL_PORTS, WELL_KNOWN } from './providers.ts';

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
    return createAnthropic({
      apiKey,
      baseURL,
      name: `${provider}.messages`,
      fetch: withoutRedirects,
    })(modelId);
  }
  if (protocol === 'openai') {
    const load = () => import('@ai-sdk/openai');
    const { createOpenAI } = await importOptional('@ai-sdk/openai', user, load);
    return createOpenAI({ apiKey, baseURL, name: provider, fetch: withoutRedirects }).responses(
      modelId,
    );
  }
  if (baseURL === undefined)
    throw usageError(
      `The address of ${provider} is not known.`,
      `Give the URL of its OpenAI-compatible endpoint with --base-url, or in "providers" of the configuration. Without it: ${Object.keys({ ...WELL_KNOWN, ...LOCAL_PORTS }).join(', ')}.`,
    );
  const load = () => import('@ai-sdk/openai-compatible');
  const { createOpenAICompatible } = await importOptional('@ai-sdk/openai-compatible', user, load);
  return createOpenAICompatible({
    ...{ name: provider, baseURL, apiKey, includeUsage: true, fetch: withoutRedirects },
    transformRequestBody: withMarkedTexts,
  })(modelId);
}

/**
 * A redirect is an answer with an error: the key and the prompt go to the address that the user gave, and to no
 * other. `fetch` would send headers with keys, such as `x-api-key`, to the other one too.
 */
const withoutRedirects: typeof fetch = (input, init) =>
  fetch(input, { ...init, redirect: 'manual' });

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

/**
 * A body of Chat Completions whose marks of the cache stand inside the texts. The AI SDK's package writes them beside
 * a text, where OpenRouter has ignored them (OpenRouterTeam/ai-sdk-provider, issue 389).
 */
function withMarkedTexts(body: Record<string, unknown>): Record<string, unknown> {
  const { messages } = body;
  return Array.isArray(messages) ? { ...body, messages: messages.map(withMarkInside) } : body;
}

function withMarkInside(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const { content: text, cache_control, ...others } = message;
  return cache_control === undefined || typeof text !== 'string' || text === ''
    ? message
    : { ...others, content: [{ type: 'text', text, cache_control }] };
}

/** The ends of names of variables that hold keys. */
const KEY_NAME = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PAT|AUTH)$/i;
/** The path of a file with a key, or of a socket, and not the key. */
const PATH = /^(?:~|\.{1,2})?\//;

/** Secrets that must never be shown, sent to a model or an editor, or written to a session or a log. */
export class Keys {
  #secrets: readonly string[] = [];

  /** Begins with the values of all variables whose names end like those of keys, such as `ACME_API_KEY`. */
  constructor(env: Readonly<Record<string, string | undefined>>) {
    const values = Object.entries(env).flatMap(([name, value = '']) =>
      KEY_NAME.test(name) && !PATH.test(value) ? [[name, value] as const] : [],
    );
    this.#hide(entrySecrets({ values }));
  }

  /** Hides these keys from then on. */
  add(...keys: readonly string[]): void {
    this.#hide(entrySecrets({ values: keys.map((key) => ['key', key]) }));
  }

  /** Hides what is secret in the entries of servers from then on. */
  addServers(entries: Iterable<ServerEntry>): void {
    for (const entry of entries) if (entry.kind !== 'unusable') this.#hide(entry.secrets);
  }

  /** Shorter texts are no keys: hidden, they would make ordinary texts unreadable. */
  #hide(texts: readonly string[]): void {
    const all = [...this.#secrets, ...texts.filter((text) => text.length >= MIN_KEY)];
    this.#secrets = [...new Set(all)].sort((a, b) => b.length - a.length);
  }

  /** Loads a model, and hides its key from then on. Rejects as `load` does. */
  async load(
    set: { load(name: string): Promise<LoadedModel> },
    name: string,
  ): Promise<LoadedModel> {
    const loaded = await set.load(name);
    if (loaded.key !== undefined) this.add(loaded.key);
    return loaded;
  }

  /** The texts to hide. */
  get secrets(): readonly string[] {
    return this.#secrets;
  }

  /** The text without them. */
  readonly hide = (text: string): string => redact(text, this.#secrets);

  /** The JSON value without them. Only for values of bounded depth. */
  redacted<T>(value: T): T {
    return redactValue(value, this.#secrets);
  }
}
