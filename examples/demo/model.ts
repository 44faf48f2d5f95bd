import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type RecordedCall, type Reply, recordFetch, startModelServer } from '@toolfold/testing';
import type { LanguageModel } from 'ai';

/** A model object of the AI SDK, not its name. */
type SdkModel = Exclude<LanguageModel, string>;

export interface DemoModel extends AsyncDisposable {
  readonly model: SdkModel;
  readonly title: string;
  /** The requests in order, for the auditor. */
  readonly sent: readonly RecordedCall[];
}

export interface ModelChoice {
  /** `provider/name`. If it is absent, the model is a script. */
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
}

const keys: Readonly<Record<string, string>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
};

/** Describes what is wrong with a choice, before anything starts; undefined if it is valid. */
export function problemWith({ model, baseUrl }: ModelChoice): string | undefined {
  if (model === undefined) {
    return baseUrl === undefined ? undefined : '--base-url needs --model provider/name.';
  }
  const { name, id } = parts(model);
  if (name === '' || id === '')
    return `--model takes provider/name, e.g. anthropic/claude-sonnet-4-5, not "${model}".`;
  if (baseUrl !== undefined)
    return URL.canParse(baseUrl) ? undefined : `--base-url takes a URL, not "${baseUrl}".`;
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
  if (key === undefined)
    return `The demo does not know the provider "${name}". Use anthropic, openai, or --base-url for a compatible server.`;
  return process.env[key] ? undefined : `${model} needs a key in ${key}.`;
}

/** Starts a scripted model by default, even if the environment holds keys, or else the chosen model. */
export async function startModel(choice: ModelChoice, script: () => Reply): Promise<DemoModel> {
  const sent: RecordedCall[] = [];
  const recorder = recordFetch((call) => sent.push(call));
  if (choice.model === undefined) {
    const server = await startModelServer({ script });
    const baseURL = server.baseUrl('anthropic');
    const provider = createAnthropic({ apiKey: 'none', baseURL, fetch: recorder });
    const title = 'a scripted model (no key, no network; --model provider/name for a real one)';
    const model = provider('claude-sonnet-4-5');
    return { model, title, sent, [Symbol.asyncDispose]: server.close };
  }
  const title = `${choice.model}${choice.baseUrl ? ` at ${choice.baseUrl}` : ''}`;
  const model = realModel(choice.model, choice.baseUrl, recorder);
  return { model, title, sent, [Symbol.asyncDispose]: async () => {} };
}

function realModel(
  choice: string,
  baseURL: string | undefined,
  fetch: typeof globalThis.fetch,
): SdkModel {
  const { name, id } = parts(choice);
  if (baseURL !== undefined) {
    const apiKey = process.env.OPENAI_COMPATIBLE_API_KEY;
    return createOpenAICompatible({ name, baseURL, ...(apiKey ? { apiKey } : {}), fetch })(id);
  }
  return name === 'anthropic' ? createAnthropic({ fetch })(id) : createOpenAI({ fetch })(id);
}

function parts(model: string): { name: string; id: string } {
  const slash = model.indexOf('/');
  return { name: model.slice(0, Math.max(0, slash)), id: model.slice(slash + 1) };
}
