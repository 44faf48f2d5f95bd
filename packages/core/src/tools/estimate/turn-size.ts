import type { ToolRequest } from '../calls/index.ts';
import type { Means } from '../epoch/index.ts';
import { countRequest } from '../tokens/index.ts';
import type { TokenCounter } from '../tool/index.ts';

/** The bridge tools of a turn. */
export function meansOf(turn: ToolRequest): Means {
  const { strategy, bridges } = turn.epoch;
  return { strategy, bridges, kindOf: (name) => turn.bridgeKind(name) };
}

/** The tokens that a turn declares and shows from the start, and the tokens that it appends. */
export function sizeOf(
  { presentation }: ToolRequest,
  countTokens: TokenCounter,
): { declared: number; appended: number } {
  const { total, loaded } = countRequest(presentation, countTokens);
  return { declared: total - loaded, appended: loaded };
}
