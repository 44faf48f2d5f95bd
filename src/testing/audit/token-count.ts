import type { TokenCounter } from '../../tools/tool/index.ts';

/** The same counter, asked once per text: a conversation repeats its blocks in every request. */
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
