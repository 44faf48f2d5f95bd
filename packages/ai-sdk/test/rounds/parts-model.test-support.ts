import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { isRecord } from '@toolfold/core/internal/values/json.ts';

/** One response of the model, as the parts that a provider makes of it. */
export interface PartsReply {
  readonly content: readonly LanguageModelV4Content[];
  readonly finish?: LanguageModelV4FinishReason['unified'];
  /** Stream calls as one part, without parts for their input. */
  readonly isBare?: boolean;
  /** Parts of the stream after the content, before its end. */
  readonly extra?: readonly LanguageModelV4StreamPart[];
}

export interface PartsModel extends LanguageModelV4 {
  /** The prompts so far, as JSON. */
  readonly prompts: string[];
  readonly calls: LanguageModelV4CallOptions[];
}

export const USAGE: LanguageModelV4Usage = {
  inputTokens: { total: 10, noCache: 6, cacheRead: 3, cacheWrite: 1 },
  outputTokens: { total: 5, text: 4, reasoning: 1 },
};

/** A model whose responses have exactly these parts. Real providers make only some of them. */
export function partsModel(replies: readonly PartsReply[]): PartsModel {
  const prompts: string[] = [];
  const calls: LanguageModelV4CallOptions[] = [];
  const next = (params: LanguageModelV4CallOptions): PartsReply => {
    const reply = replies[calls.length];
    calls.push(params);
    prompts.push(JSON.stringify(params.prompt));
    if (!reply) throw new Error(`There is no reply ${calls.length}.`);
    return reply;
  };
  return {
    specificationVersion: 'v4',
    provider: 'parts',
    modelId: 'parts-1',
    supportedUrls: {},
    prompts,
    calls,
    async doGenerate(params) {
      const reply = next(params);
      return {
        content: structuredClone([...reply.content]),
        finishReason: finishOf(reply),
        usage: USAGE,
        warnings: [],
        response: { id: `response-${calls.length}` },
      };
    },
    async doStream(params) {
      const reply = next(params);
      const parts = [...partsOf(reply, calls.length)];
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        pull(controller) {
          const part = parts.shift();
          if (part) controller.enqueue(part);
          else controller.close();
        },
      });
      return { stream };
    },
  };
}

function finishOf({ content, finish }: PartsReply): LanguageModelV4FinishReason {
  const hasCalls = content.some((part) => part.type === 'tool-call' && !part.providerExecuted);
  return { unified: finish ?? (hasCalls ? 'tool-calls' : 'stop'), raw: undefined };
}

function* partsOf(reply: PartsReply, count: number): Iterable<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  yield { type: 'response-metadata', id: `response-${count}` };
  for (const [index, part] of reply.content.entries()) {
    const id = String(index);
    const more = part.providerMetadata ? { providerMetadata: part.providerMetadata } : {};
    if (part.type === 'text' || part.type === 'reasoning') {
      yield { type: `${part.type}-start`, id };
      const half = Math.ceil(part.text.length / 2);
      for (const delta of [part.text.slice(0, half), part.text.slice(half)])
        if (delta !== '') yield { type: `${part.type}-delta`, id, delta };
      yield { type: `${part.type}-end`, id, ...more };
    } else if (part.type === 'tool-call') {
      const { toolCallId, toolName, input, providerExecuted, dynamic } = part;
      const flags = {
        ...(providerExecuted ? { providerExecuted } : {}),
        ...(dynamic ? { dynamic } : {}),
      };
      if (!reply.isBare) {
        yield { type: 'tool-input-start', id: toolCallId, toolName, ...flags };
        yield { type: 'tool-input-delta', id: toolCallId, delta: input };
        yield { type: 'tool-input-end', id: toolCallId };
      }
      yield structuredClone(part);
    } else {
      yield structuredClone(part) as LanguageModelV4StreamPart;
    }
  }
  yield* reply.extra ?? [];
  yield { type: 'finish', usage: USAGE, finishReason: finishOf(reply) };
}

/** A call of a tool, as a provider passes it on. */
export function toolCall(id: string, toolName: string, input: unknown): LanguageModelV4Content {
  const text = isRecord(input) ? JSON.stringify(input) : String(input);
  return { type: 'tool-call', toolCallId: id, toolName, input: text };
}

/** A search that the provider runs itself, and its result. */
export function ownSearch(id: string): readonly LanguageModelV4Content[] {
  const flags = { toolCallId: id, toolName: 'web_search', dynamic: true } as const;
  return [
    { type: 'tool-call', ...flags, input: '{"query":"x"}', providerExecuted: true },
    { type: 'tool-result', ...flags, result: { found: 1 } },
  ];
}
