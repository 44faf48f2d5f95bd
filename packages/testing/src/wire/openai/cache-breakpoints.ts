import { isRecord } from '@toolfold/core/internal/tools/values';
import type { AnswerUsage } from '../format/index.ts';
import { recordsOf } from '../request/index.ts';

// The rules of this file: https://developers.openai.com/api/docs/guides/prompt-caching.

/** GPT-5.6 and later families save and match prefixes only at breakpoints. Earlier ones match any prefix. */
const WITH_BREAKPOINTS = /\bgpt-(5\.[6-9]|[6-9])/;

/** Whether a model saves and matches prefixes only at breakpoints. */
export function hasBreakpoints(model: unknown): boolean {
  return typeof model === 'string' && WITH_BREAKPOINTS.test(model);
}

/** Whether only the marked breakpoints count, and none at the latest message. */
export function isExplicitMode({
  prompt_cache_options: options,
}: Readonly<Record<string, unknown>>): boolean {
  return isRecord(options) && options.mode === 'explicit';
}

/** Whether a content part, or an item with parts, is marked as the end of a prefix. */
export function isBreakpoint(part: unknown): boolean {
  return (
    isRecord(part) &&
    (isRecord(part.prompt_cache_breakpoint) || recordsOf(part.output).some(isBreakpoint))
  );
}

/** Whether the API puts a breakpoint of its own at the end of this message or item while it is the latest. */
export function isTurnEnd({ role, type }: Readonly<Record<string, unknown>>): boolean {
  const isOutput = typeof type === 'string' && type.endsWith('_output');
  return role === 'user' || role === 'tool' || isOutput;
}

/** For how many seconds the API keeps a prefix after its last use. */
export function keptSeconds(body: Readonly<Record<string, unknown>>): number {
  const { prompt_cache_options: options, prompt_cache_retention: retention } = body;
  if (!hasBreakpoints(body.model)) return retention === '24h' ? 86_400 : 300;
  return isRecord(options) && options.ttl === '12h' ? 43_200 : 1_800;
}

/** The details of the input tokens in a usage. */
export function cacheDetails({ cached, written }: AnswerUsage): Record<string, number> {
  return { cached_tokens: cached, ...(written > 0 && { cache_write_tokens: written }) };
}
