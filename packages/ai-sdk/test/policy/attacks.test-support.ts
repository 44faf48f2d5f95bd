import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import {
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  streamText,
  type ToolSet,
  tool,
  wrapLanguageModel,
} from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { z } from 'zod';
import {
  type BeforeToolCall,
  createFold,
  type FoldFields,
  type FoldOptions,
  type HookedCall,
  type WithOptions,
} from '../../src/index.ts';

export type Part = Record<string, unknown> & { readonly type: string };
export type Prompt = LanguageModelV4CallOptions['prompt'];
export type Kind = 'own' | 'deferred';
export type Settings = object;

export const KINDS: readonly Kind[] = ['own', 'deferred'];
export const MODES = ['generateText', 'streamText'] as const;

export function callOf(name: string, input: unknown, more: object = {}): Part {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return { type: 'tool-call', toolCallId: 'id_1', toolName: name, input: text, ...more };
}

/** A call of the tool `act` in the form of `dispatch`. */
export function act(kind: Kind, input: unknown, more: object = {}): Part {
  if (kind === 'own') return callOf('act', input, more);
  return callOf('deferred_tool_call', { tool_name: 'g__act', arguments: input }, more);
}

export const nameOf = (kind: Kind): string => (kind === 'own' ? 'act' : 'g__act');

/** A model that answers with these parts, one list for each request, and then with a text. */
export function scripted(
  steps: readonly (readonly Part[])[],
  prompts: Prompt[] = [],
): LanguageModel {
  let at = 0;
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const answer = (prompt: Prompt) => {
    prompts.push(prompt);
    const content = steps[at++] ?? [{ type: 'text', text: 'Done.' }];
    const isOpen = content.some((part) => part.type === 'tool-call' && !part.providerExecuted);
    const finishReason = { unified: isOpen ? 'tool-calls' : 'stop', raw: undefined };
    return { content, finishReason, usage, warnings: [] };
  };
  return new MockLanguageModelV4({
    provider: 'mock',
    modelId: 'mock',
    doGenerate: async ({ prompt }) => answer(prompt) as never,
    doStream: async ({ prompt }) => {
      const { content, finishReason } = answer(prompt);
      const parts = content.flatMap((part) => {
        if (part.type !== 'text') return part;
        const { text } = part;
        return [
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: text },
          { type: 'text-end', id: 't' },
        ];
      });
      const chunks = [
        { type: 'stream-start', warnings: [] },
        ...parts,
        { type: 'finish', finishReason, usage },
      ];
      const stream = simulateReadableStream({
        chunks,
        initialDelayInMs: null,
        chunkDelayInMs: null,
      });
      return { stream } as never;
    },
  });
}

export function resultsIn(prompt: Prompt | undefined): { toolCallId: string; output: unknown }[] {
  return (prompt ?? []).flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.flatMap((p) => (p.type === 'tool-result' ? p : [])),
  );
}

export interface Said {
  readonly messages: ModelMessage[];
  readonly content: readonly { readonly type: string }[];
}

export async function say(
  mode: (typeof MODES)[number],
  messages: ModelMessage[],
  settings: Settings,
): Promise<Said> {
  const all = { stopWhen: isStepCount(6), maxRetries: 0, ...settings, messages } as never;
  if (mode === 'generateText') {
    const { content, responseMessages } = await generateText(all);
    return { content, messages: [...messages, ...responseMessages] };
  }
  const errors: unknown[] = [];
  const stream = streamText({
    ...(all as object),
    onError: ({ error }: { error: unknown }) => void errors.push(error),
  } as never);
  await stream.consumeStream();
  if (errors.length > 0) throw errors[0];
  return {
    content: await stream.content,
    messages: [...messages, ...(await stream.responseMessages)],
  };
}

export const GO: ModelMessage[] = [{ role: 'user', content: 'Go.' }];
export const go = (settings: Settings): Promise<Said> => say('generateText', GO, settings);

/** The messages with an approval of their question; undefined if they ask none. */
export function approved({ messages, content }: Said): ModelMessage[] | undefined {
  const [question] = content.filter(
    (part): part is Part & { approvalId: string } =>
      part.type === 'tool-approval-request' && !('isAutomatic' in part),
  );
  if (!question) return;
  const { approvalId } = question;
  const said = { type: 'tool-approval-response' as const, approvalId, approved: true };
  return [...structuredClone(messages), { role: 'tool', content: [said] }];
}

export interface World {
  readonly fold?: Partial<FoldOptions<ToolSet>>;
  readonly view?: WithOptions;
}

/** A fold with the tool `act`, its own or in the group `g`; the model answers with these parts. */
export function fieldsOf(
  kind: Kind,
  made: object,
  model: LanguageModel,
  { fold, view }: World = {},
): FoldFields<ToolSet> {
  const target = tool(made as never) as ToolSet[string];
  const group = { groupId: 'g', toolNames: ['act'], loader: async () => ({ act: target }) };
  const options = {
    strategy: 'dispatch',
    tools: kind === 'own' ? { act: target } : {},
    groups: kind === 'own' ? [] : [group],
    ...fold,
  } as FoldOptions<ToolSet>;
  return createFold(options).with(model, view);
}

export const TEXT: z.ZodObject<{ text: z.ZodString }> = z.object({ text: z.string() });
/** A tool that records the inputs of its runs. */
export const logging = (runs: unknown[], changes: object = {}): object => ({
  inputSchema: TEXT,
  execute: (input: unknown) => {
    runs.push(structuredClone(input));
    return 'ran';
  },
  ...changes,
});
export const denying =
  (is: (input: HookedCall['arguments']) => boolean): BeforeToolCall =>
  ({ arguments: given }: HookedCall) =>
    is(given) ? { deny: 'Not this.' } : undefined;
export const denyBad: BeforeToolCall = denying(({ text }) => text === 'bad');

/** The model behind a middleware of the app that drops the metadata of calls. */
export function bare(model: LanguageModel): LanguageModel {
  const strip = (part: object) => {
    if ((part as { type?: string }).type !== 'tool-call') return part as never;
    const { providerMetadata: _, ...rest } = part as { providerMetadata?: object };
    return rest as never;
  };
  return wrapLanguageModel({
    model: model as never,
    middleware: {
      specificationVersion: 'v4',
      wrapGenerate: async ({ doGenerate }) => {
        const result = await doGenerate();
        return { ...result, content: result.content.map(strip) };
      },
      wrapStream: async ({ doStream }) => {
        const result = await doStream();
        const transform = (part: object, controller: { enqueue: (part: never) => void }) =>
          controller.enqueue(strip(part));
        return { ...result, stream: result.stream.pipeThrough(new TransformStream({ transform })) };
      },
    },
  });
}
