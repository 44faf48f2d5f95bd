import type { TokenCounter } from '../../tools/tool/index.ts';
import { type AuditableRequest, type Block, blocksOf } from './blocks.ts';
import { remembered } from './token-count.ts';

/** The input tokens of one request, and how many of them are the beginning of an earlier request. */
export interface InputTokens {
  readonly input: number;
  readonly cached: number;
}

/**
 * An ideal prompt cache: it caches every prefix of every earlier request to the same provider and
 * model, in whole blocks, without markers, minimum length or expiry.
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

/** The number of blocks in the common beginning of two requests. */
export function sharedBlocks(a: readonly Block[], b: readonly Block[]): number {
  const at = a.findIndex((block, index) => !sameBlock(block, b[index]));
  return at === -1 ? a.length : at;
}

/** Whether two blocks have the same bytes and the same path. */
function sameBlock(a: Block | undefined, b: Block | undefined): boolean {
  return a?.path === b?.path && a?.text === b?.text && a?.frame === b?.frame;
}
