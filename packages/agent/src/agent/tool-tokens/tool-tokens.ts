import type { RequestTokens } from '@toolfold/ai-sdk/internal/request';

/** What a request of a new epoch without tools does not have. */
export function droppableTokens({ inline, bridges, loaded, catalog }: RequestTokens): number {
  return inline + bridges + loaded + catalog;
}

/** All tokens of a request that describe tools: schemas wherever they stand, bridge tools, and the catalog. */
export function toolTokens(tokens: RequestTokens): number {
  const { loaded, later = loaded } = tokens;
  return droppableTokens(tokens) - loaded + later;
}

/** Whether sending the rest of a conversation anew costs less than what its last request held of tools that nobody can call. */
export function isCheaperWithout(tokens: RequestTokens): boolean {
  const dropped = droppableTokens(tokens);
  return tokens.total - dropped < dropped;
}
