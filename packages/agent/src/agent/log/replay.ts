import type { LanguageModelV4StreamPart } from '@toolfold/ai-sdk/internal/protocol';
import { pick } from '@toolfold/core/internal/tools/values';
import { simulateReadableStream } from 'ai';
import type { Content, Kinds } from '../entries/index.ts';

type Part = LanguageModelV4StreamPart;

const NO_USAGE: Extract<Part, { type: 'finish' }>['usage'] = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** A recorded answer as the stream that it came in, so that the AI SDK runs its calls. */
export function replayed({
  content,
  inputs = {},
  finish,
}: Omit<Kinds['model'], 'step'>): ReadableStream<Part> {
  const parts: Part[] = [
    { type: 'stream-start', warnings: [] },
    ...content.flatMap((part, index) => partsOf(part, `${index}`, inputs)),
    {
      type: 'finish',
      usage: NO_USAGE,
      finishReason: { unified: finish.unified as 'stop', raw: finish.raw ?? undefined },
    },
  ];
  return simulateReadableStream({ chunks: parts, initialDelayInMs: null, chunkDelayInMs: null });
}

function partsOf(part: Content, id: string, inputs: Readonly<Record<string, string>>): Part[] {
  const options = 'providerOptions' in part ? part.providerOptions : undefined;
  const metadata = options ? { providerMetadata: options } : {};
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [
        { type: `${part.type}-start`, id, ...metadata },
        { type: `${part.type}-delta`, id, delta: part.text },
        { type: `${part.type}-end`, id, ...metadata },
      ] as Part[];
    case 'tool-call': {
      const input = inputs[part.toolCallId] ?? JSON.stringify(part.input);
      const call = pick(part, 'type', 'toolCallId', 'toolName', 'providerExecuted');
      return [{ ...call, input, ...metadata }];
    }
    case 'tool-result': {
      const { toolCallId, toolName, output } = part;
      const result = 'value' in output ? (output.value as never) : '';
      const failed = output.type === 'error-json' ? { isError: true } : {};
      return [{ type: 'tool-result', toolCallId, toolName, result, ...failed, ...metadata }];
    }
    case 'custom':
    case 'file':
    case 'reasoning-file': {
      const { providerOptions: _, ...rest } = part;
      return [{ ...rest, ...metadata } as Part];
    }
    default:
      return [];
  }
}
