import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { CallEvent } from '@toolfold/core/internal/transcript/transcript.ts';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { asSchema, generateText, isStepCount, streamText, type ToolSet } from 'ai';
import { createFold, type Fold, type FoldOptions } from '../../src/index.ts';
import type { Mode } from '../conversation.test-support.ts';
import { foldOptions, type Runs } from '../folds.test-support.ts';

/** What a request of a later round may run into, on two endpoints with a `fetch` of their own. */
export const PROVIDERS = ['anthropic', 'openai chat'] as const;

/** A failing reply. The endpoint asks to be called again at once, or after `delay`. */
export const failing = (status: number): Reply => ({ error: { status, body: `HTTP ${status}` } });

/** A server, a fold on it and what was observed. */
export interface World extends AsyncDisposable {
  readonly server: ModelServer;
  readonly runs: Runs;
  readonly events: CallEvent[];
  readonly warnings: string[];
  /** The number of requests that Toolfold reported. */
  readonly sent: () => number;
  /** The signal of each request. */
  readonly signals: readonly (AbortSignal | undefined)[];
  /** Resolves when a request was refused. */
  readonly refused: Promise<void>;
  readonly fields: ReturnType<Fold<ToolSet>['with']>;
}

export async function world(
  provider: (typeof PROVIDERS)[number],
  script: readonly Reply[],
  { delay = 0, ...options }: Partial<FoldOptions<ToolSet>> & { readonly delay?: number } = {},
): Promise<World> {
  const refused = Promise.withResolvers<void>();
  const server = await startModelServer({ script, strict: false });
  const signals: (AbortSignal | undefined)[] = [];
  const fetching: typeof fetch = async (input, init) => {
    signals.push(init?.signal ?? undefined);
    const { status, body, headers } = await fetch(input, init);
    const more = new Headers(headers);
    if (status >= 400) {
      more.set('retry-after-ms', String(delay));
      refused.resolve();
    }
    return new Response(body, { status, headers: more });
  };
  const given = { apiKey: 'test', fetch: fetching };
  const model =
    provider === 'anthropic'
      ? createAnthropic({ ...given, baseURL: server.baseUrl('anthropic') })('claude-sonnet-4-5')
      : createOpenAI({ ...given, baseURL: server.baseUrl('openai-chat') }).chat('gpt-4.1');
  const runs: Runs = [];
  const events: CallEvent[] = [];
  const warnings: string[] = [];
  let sent = 0;
  const fold = createFold({
    ...foldOptions(runs),
    onCall: (event) => events.push(event),
    onWarning: (text) => warnings.push(text),
    onRequest: () => void sent++,
    ...options,
  }) as unknown as Fold<ToolSet>;
  return {
    ...{ server, runs, events, warnings, signals, refused: refused.promise },
    sent: () => sent,
    fields: fold.with(model),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** What one generation came to. */
export interface Outcome {
  /** What it rejected with, or the first error of the stream. */
  readonly error: unknown;
  readonly text: string | undefined;
  readonly steps: number;
  readonly isAborted: boolean;
}

/** One generation, which may fail. */
export async function run(
  { fields }: World,
  mode: Mode,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Outcome> {
  const given = { ...fields, prompt: 'Go.', stopWhen: isStepCount(9), ...settings };
  if (mode === 'generate') {
    try {
      const { text, steps } = await generateText(given as Parameters<typeof generateText>[0]);
      return { error: undefined, text, steps: steps.length, isAborted: false };
    } catch (error) {
      return { error, text: undefined, steps: 0, isAborted: isAbort(error) };
    }
  }
  const errors: unknown[] = [];
  let isAborted = false;
  let text = '';
  let steps = 0;
  const result = streamText({
    ...(given as Parameters<typeof streamText>[0]),
    onError: ({ error }) => void errors.push(error),
  });
  try {
    for await (const part of result.stream) {
      if (part.type === 'abort') isAborted = true;
      if (part.type === 'text-delta') text += part.text;
      if (part.type === 'finish-step') steps++;
    }
  } catch (error) {
    // A stream that breaks off rejects.
    errors.push(error);
  }
  return { error: errors[0], text, steps, isAborted };
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Collects rejections that nobody handles while a test runs. */
export function rejections(t: { after: (end: () => void) => void }): () => Promise<unknown[]> {
  const found: unknown[] = [];
  const note = (reason: unknown) => void found.push(reason);
  process.on('unhandledRejection', note);
  t.after(() => process.off('unhandledRejection', note));
  return async () => {
    // Node reports a rejection after the promise jobs of the same turn.
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    return found;
  };
}

/** A reply that does not come until `release`. `asked`: the request for it has arrived. */
export function heldReply(): { reply: Reply; asked: Promise<void>; release: () => void } {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const reply: Reply = {
    ...{ text: 'Late.' },
    get hold() {
      asked.resolve();
      return held.promise;
    },
  };
  return { reply, asked: asked.promise, release: held.resolve };
}

/** Reads the model as the SDK does, but may cancel at any time. */
export async function reading(
  fields: ReturnType<Fold<ToolSet>['with']>,
): Promise<ReadableStreamDefaultReader<LanguageModelV4StreamPart>> {
  const tools = Object.entries(fields.tools as ToolSet).map(async ([name, { inputSchema }]) => {
    const schema = await asSchema(inputSchema).jsonSchema;
    return { type: 'function' as const, name, inputSchema: schema };
  });
  const { stream } = await (fields.model as LanguageModelV4).doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }],
    tools: await Promise.all(tools),
  });
  return stream.getReader();
}
