import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { type Reply, startModelServer, type WireProvider } from 'toolfold/testing';

export interface DemoModel {
  readonly model: LanguageModel;
  readonly title: string;
  /** What was sent, in order, for the auditor. */
  readonly sent: { provider: WireProvider; url: string; body: Record<string, unknown> }[];
  close(): Promise<void>;
}

export interface ModelChoice {
  /** `provider/name`; left out, the model is a script. */
  readonly model?: string;
  readonly baseUrl?: string;
}

/** A scripted model by default, whatever keys the environment holds; a real one if asked for. */
export async function chooseModel(choice: ModelChoice, script: Reply[]): Promise<DemoModel> {
  const sent: DemoModel['sent'] = [];
  const recorder = (provider: WireProvider): typeof fetch => {
    return (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input).pathname;
      sent.push({ provider, url, body: JSON.parse(String(init?.body)) });
      return fetch(input, init);
    };
  };
  if (choice.model === undefined) {
    const server = await startModelServer({ script });
    const baseURL = server.baseUrl('anthropic');
    const provider = createAnthropic({ apiKey: 'none', baseURL, fetch: recorder('anthropic') });
    const title = 'a scripted model (no key, no network; --model provider/name for a real one)';
    return { model: provider('claude-sonnet-4-5'), title, sent, close: () => server.close() };
  }
  const slash = choice.model.indexOf('/');
  const name = choice.model.slice(0, slash);
  const id = choice.model.slice(slash + 1);
  if (slash < 1 || id === '')
    throw new Error('--model takes provider/name, e.g. anthropic/claude-sonnet-4-5.');
  const close = async () => {};
  const title = `${choice.model}${choice.baseUrl ? ` at ${choice.baseUrl}` : ''}`;
  if (choice.baseUrl !== undefined) {
    const provider = createOpenAICompatible({
      name,
      baseURL: choice.baseUrl,
      ...(process.env.OPENAI_COMPATIBLE_API_KEY
        ? { apiKey: process.env.OPENAI_COMPATIBLE_API_KEY }
        : {}),
      fetch: recorder('openai-chat'),
    });
    return { model: provider(id), title, sent, close };
  }
  if (name === 'anthropic')
    return { model: createAnthropic({ fetch: recorder('anthropic') })(id), title, sent, close };
  if (name === 'openai')
    return { model: createOpenAI({ fetch: recorder('openai-responses') })(id), title, sent, close };
  throw new Error(
    `"${name}" is not known here: use anthropic, openai, or --base-url for any compatible server.`,
  );
}
