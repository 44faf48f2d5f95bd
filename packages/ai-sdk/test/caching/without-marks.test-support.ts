import { isRecord } from '@toolfold/core/internal/values/json.ts';

const MARKS: readonly string[] = ['cache_control', 'prompt_cache_breakpoint', 'prompt_cache_key'];

/**
 * A request body without what asks for a cache, as JSON. A content that is one text is written as a text, because
 * some packages write a marked text as a list of one part.
 */
export function withoutMarks(body: unknown): string {
  return JSON.stringify(body, (key, value: unknown) => {
    if (MARKS.includes(key)) return;
    return Array.isArray(value) ? unmarked(key, value.filter(isNoPoint)) : value;
  });
}

function isNoPoint(value: unknown): boolean {
  return !isRecord(value) || value.cachePoint === undefined || Object.keys(value).length > 1;
}

function unmarked(key: string, list: readonly unknown[]): unknown {
  const [only] = list;
  if (key !== 'content' || list.length !== 1 || !isRecord(only)) return list;
  const { type, text, ...others } = only;
  const isText = type === 'text' || type === 'input_text';
  const rest = Object.keys(others).filter((name) => !MARKS.includes(name));
  return isText && typeof text === 'string' && rest.length === 0 ? text : list;
}

/** How many marks a body has, in the spelling of each provider. */
export function marksIn(body: unknown): number {
  if (Array.isArray(body)) return body.reduce((all: number, one) => all + marksIn(one), 0);
  if (!isRecord(body)) return 0;
  const own = ['cache_control', 'cachePoint', 'prompt_cache_breakpoint'];
  return Object.entries(body).reduce(
    (all, [key, value]) => all + (own.includes(key) ? 1 : marksIn(value)),
    0,
  );
}
