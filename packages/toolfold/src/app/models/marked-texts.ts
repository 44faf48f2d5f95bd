import { isRecord } from '@toolfold/core/internal/tools/values';

/**
 * A body of Chat Completions whose marks of the cache stand inside the texts. The AI SDK's package writes them beside
 * a text, where OpenRouter has ignored them (OpenRouterTeam/ai-sdk-provider, issue 389).
 */
export function withMarkedTexts(body: Record<string, unknown>): Record<string, unknown> {
  const { messages } = body;
  return Array.isArray(messages) ? { ...body, messages: messages.map(withMarkInside) } : body;
}

function withMarkInside(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const { content: text, cache_control, ...others } = message;
  return cache_control === undefined || typeof text !== 'string' || text === ''
    ? message
    : { ...others, content: [{ type: 'text', text, cache_control }] };
}
