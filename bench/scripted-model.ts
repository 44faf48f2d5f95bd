import type { LanguageModelV4, LanguageModelV4Content } from '@ai-sdk/provider';

/** A call as a model writes it. */
export type Call = readonly [name: string, input: object];

let made = 0;

/** How many calls the models of this process have made. The last one has the id `call_N`. */
export const callsMade = (): number => made;

/**
 * A model that answers its requests with these calls, in order, and then with text. The ids of calls are unique
 * in this process. `onRequest` is called for each request.
 */
export function scriptedModel(
  answers: readonly (readonly Call[])[],
  onRequest: () => void = () => {},
): LanguageModelV4 {
  let requests = 0;
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'bench',
    supportedUrls: {},
    doGenerate: async () => {
      onRequest();
      const calls = answers[requests++] ?? [];
      const content = calls.map(
        ([toolName, input]): LanguageModelV4Content => ({
          type: 'tool-call',
          toolCallId: `call_${++made}`,
          toolName,
          input: JSON.stringify(input),
        }),
      );
      const reason = calls.length > 0 ? ('tool-calls' as const) : ('stop' as const);
      return {
        content: calls.length > 0 ? content : [{ type: 'text', text: 'Done.' }],
        finishReason: { unified: reason, raw: reason },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      };
    },
    doStream: () => Promise.reject(new Error('Nothing here streams.')),
  };
}
