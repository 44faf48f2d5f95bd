import type { TokenCounter } from '../../tools/tool/index.ts';
import { type AuditableRequest, type Block, blocksOf } from './blocks.ts';
import { remembered } from './token-count.ts';

/** Input tokens of one request, and how many of them an earlier one had sent as its beginning. */
export interface InputTokens {
  readonly input: number;
  readonly cached: number;
}

/**
 * A prompt cache as it ought to be: every prefix of every earlier request to the same provider and
 * model is cached, whole blocks at a time, without markers, minimum length or expiry.
 */
export function promptCache(countTokens: TokenCounter): (request: AuditableRequest) => InputTokens {
  const count = remembered(countTokens);
  const earlier = new Map<string, Block[][]>();
  return (request) => {
    const key = `${request.provider} ${request.body.model}`;
    const seen = earlier.get(key) ?? [];
    const blocks = blocksOf(request);
    const shared = Math.max(0, ...seen.map((other) => sharedBlocks(other, blocks)));
    earlier.set(key, [...seen, blocks]);
    const tokens = (part: readonly Block[]): number =>
      part.reduce((sum, block) => sum + count(block.text), 0);
    return { input: tokens(blocks), cached: tokens(blocks.slice(0, shared)) };
  };
}

/** How many blocks two requests share from their beginning. */
export function sharedBlocks(a: readonly Block[], b: readonly Block[]): number {
  const at = a.findIndex((block, index) => !sameBlock(block, b[index]));
  return at === -1 ? a.length : at;
}

/** The same bytes at the same place. */
export function sameBlock(a: Block | undefined, b: Block | undefined): boolean {
  return a?.path === b?.path && a?.text === b?.text && a?.frame === b?.frame;
}
