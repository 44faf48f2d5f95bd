import { searchWords } from '../../../packages/core/src/near-names.ts';
import { STOP_WORDS } from '../../../packages/core/src/search/fields.ts';
import { stem } from '../../../packages/core/src/search/stem.ts';

/** A line of `bench/search/data/served.jsonl`. */
export interface Need {
  readonly id: string;
  readonly query: string;
  readonly servers: readonly string[];
  /** Every tool that would do, as `server/tool`. Empty if none would. */
  readonly right: readonly string[];
}

/** Whether a need is served, and if so, whether its query shares a word with the name of a right tool. */
export type NeedKind = 'not served' | 'plain' | 'reworded';

export function kindOf({ query, right }: Pick<Need, 'query' | 'right'>): NeedKind {
  if (right.length === 0) return 'not served';
  const names = stemsOf(right.map((tool) => tool.slice(tool.indexOf('/') + 1)).join(' '));
  return [...stemsOf(query)].some((one) => names.has(one)) ? 'plain' : 'reworded';
}

function stemsOf(text: string): Set<string> {
  const words = searchWords(text).filter((word) => !STOP_WORDS.has(word));
  return new Set(words.map(stem));
}

/** Lines with an even number are for calibration, those with an odd number for reports. */
export type Half = 'calibration' | 'report';

export function halfOf({ id }: Pick<Need, 'id'>): Half {
  return Number(/\d+$/.exec(id)?.[0]) % 2 === 0 ? 'calibration' : 'report';
}
