/** A model that answers as scripted: with a call, then with a text, both in pieces. */
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { simulateReadableStream } from 'ai';

/** How many pieces each part of the script is streamed in. */
export const DELTAS = { before: 10, arguments: 5, answer: 20 } as const;

const USAGE = {
  inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 20, text: 20, reasoning: 0 },
};

type Call = { readonly toolCallId: string; readonly toolName: string; readonly input: string };

/** In each turn it calls the tool through the bridge in its first answer, and says something in its second. */
export function scriptedModel(tool: string, args: unknown): LanguageModelV4 {
  const input = JSON.stringify({ tool_name: tool, arguments: args });
  let answered = 0;
  const answer = (): LanguageModelV4StreamPart[] => {
    answered += 1;
    if (answered % 2 === 0) return [...text('2', DELTAS.answer), finish('stop')];
    const call = { toolCallId: `call_${answered}`, toolName: 'deferred_tool_call', input };
    return [...text('1', DELTAS.before), ...streamed(call), finish('tool-calls')];
  };
  return {
    specificationVersion: 'v4',
    provider: 'bench.chat',
    modelId: 'bench',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('The script has streams only.')),
    doStream: async () => {
      const chunks: LanguageModelV4StreamPart[] = [
        { type: 'stream-start', warnings: [] },
        ...answer(),
      ];
      return { stream: simulateReadableStream({ chunks, chunkDelayInMs: null }) };
    },
  };
}

function text(id: string, count: number): LanguageModelV4StreamPart[] {
  const deltas = Array.from({ length: count }, (_, n) => `word${n} `);
  return [
    { type: 'text-start', id },
    ...deltas.map((delta) => ({ type: 'text-delta', id, delta }) as const),
    { type: 'text-end', id },
  ];
}

function streamed({ toolCallId: id, toolName, input }: Call): LanguageModelV4StreamPart[] {
  const size = Math.ceil(input.length / DELTAS.arguments);
  const deltas = Array.from({ length: DELTAS.arguments }, (_, n) =>
    input.slice(n * size, (n + 1) * size),
  );
  return [
    { type: 'tool-input-start', id, toolName },
    ...deltas.map((delta) => ({ type: 'tool-input-delta', id, delta }) as const),
    { type: 'tool-input-end', id },
    { type: 'tool-call', toolCallId: id, toolName, input },
  ];
}

function finish(unified: 'tool-calls' | 'stop'): LanguageModelV4StreamPart {
  return { type: 'finish', finishReason: { unified, raw: unified }, usage: USAGE };
}
