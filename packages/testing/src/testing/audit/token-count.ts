import type { TokenCounter } from '@toolfold/core/internal/tools/tool';

/** Caches the counts of a counter by text, because every request repeats the earlier blocks. */
export function remembered(count: TokenCounter): TokenCounter {
  const known = new Map<string, number>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const tokens = count(text);
    known.set(text, tokens);
    return tokens;
  };
}
