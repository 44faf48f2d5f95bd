import { definitionTokens, estimateTokens } from '@toolfold/core/internal/tools/tokens';
import type { WireTool } from '../declared-tools/index.ts';
import type { LanguageModelV4CallOptions } from '../protocol/index.ts';

/**
 * Bedrock's Converse API refuses calls and results in the messages of a request without tools, and the AI SDK
 * then leaves them out: `hasToolContent` in @ai-sdk/amazon-bedrock 5.0.101, dist/index.js. Anthropic's own API takes
 * them since February 27, 2025: https://github.com/anthropics/anthropic-sdk-python/issues/849.
 */
const NEED_TOOLS = /^amazon-bedrock\b/;

/** What is declared in place of all tools. Its bytes never change, and its calls are unknown ones. */
const STUB = {
  type: 'function',
  name: 'tools_are_off',
  description: 'No tool can be called.',
  inputSchema: { type: 'object', properties: {} },
} as const satisfies WireTool;

/** The tokens of the stub beside the calls of a conversation with no tools. `model`: `provider/name`. */
export function stubTokens(model: string | undefined): number {
  const { name, description, inputSchema: parameters } = STUB;
  if (!NEED_TOOLS.test(model ?? '')) return 0;
  return definitionTokens({ name, description, parameters }, estimateTokens);
}

/** The tools, or where there are none and the provider needs one beside the calls of the prompt, a stub. */
export function withStub(
  tools: WireTool[],
  prompt: LanguageModelV4CallOptions['prompt'],
  { provider }: { readonly provider: string },
): WireTool[] {
  if (tools.length > 0 || !NEED_TOOLS.test(provider)) return tools;
  const hasCalls = prompt.some(
    ({ role, content }) =>
      role === 'tool' || (role === 'assistant' && content.some(({ type }) => type === 'tool-call')),
  );
  return hasCalls ? [STUB] : tools;
}
