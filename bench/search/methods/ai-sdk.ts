import type { LanguageModelV4 } from '@ai-sdk/provider';
import { generateText, jsonSchema, type ToolSet, tool, toolSearch } from 'ai';
import type { ToolDocument } from '../../../packages/core/src/search.ts';
import type { Method } from '../method.ts';
import { DEPTH } from '../quality.ts';

/**
 * `toolSearch()` of the AI SDK. A scripted model calls it once in each generation. The time is that
 * of the tool's execution, without the rest of the generation. Its names hold the server, as an app
 * with several servers names its tools.
 */
export const aiSdk: Method = {
  id: 'ai-sdk',
  title: 'AI SDK toolSearch() 7.0.173',
  isOurs: false,
  index(tools) {
    const byName = namesOf(tools);
    const deferred = [...byName].map(([name, { description }]) => [
      name,
      tool({ description, inputSchema: jsonSchema({ type: 'object' }), deferLoading: true }),
    ]);
    const all: ToolSet = {
      toolSearch: toolSearch({ maxResults: DEPTH }),
      ...Object.fromEntries(deferred),
    };
    return {
      search: async (query) => {
        let ms = 0;
        const { toolResults } = await generateText({
          model: searching(query),
          tools: all,
          prompt: 'Search.',
          maxRetries: 0,
          onToolExecutionEnd: ({ toolExecutionMs }) => {
            ms = toolExecutionMs;
          },
        });
        const output = toolResults[0]?.output as { tools: { name: string }[] } | undefined;
        return { keys: (output?.tools ?? []).map(({ name }) => byName.get(name)?.key ?? ''), ms };
      },
    };
  },
};

/** The tools under unique names. */
function namesOf(tools: readonly ToolDocument[]): Map<string, ToolDocument> {
  const byName = new Map<string, ToolDocument>();
  for (const document of tools) {
    const { name, group } = document;
    const full = group === '' ? name : `${group}__${name}`;
    let unique = full;
    for (let n = 2; byName.has(unique); n++) unique = `${full}_${n}`;
    byName.set(unique, document);
  }
  return byName;
}

/** A model whose only answer is one search. */
function searching(query: string): LanguageModelV4 {
  const tokens = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 };
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: async () => ({
      content: [
        {
          type: 'tool-call',
          toolCallId: '1',
          toolName: 'toolSearch',
          input: JSON.stringify({ query }),
        },
      ],
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage: { inputTokens: tokens, outputTokens: { total: 0, text: 0, reasoning: 0 } },
      warnings: [],
    }),
    doStream: () => Promise.reject(new Error('The benchmark does not stream.')),
  };
}
