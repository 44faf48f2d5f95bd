import type { Offer } from '../../tools/transcript/index.ts';
import type { LiveSet } from '../tool-set/index.ts';

/** What the SDK offers in one step: what `activeTools` left of its set, and tools added beside it. */
export function offerOf(
  { tools, isKnown }: LiveSet,
  ownNames: readonly string[],
  offered: ReadonlySet<string>,
): Offer {
  const all = Object.keys(tools);
  // Most requests leave nothing out.
  const names = all.every((name) => offered.has(name)) ? [] : all;
  const added = [...offered].filter((name) => !Object.hasOwn(tools, name));
  const beside = [...ownNames.filter((name) => !isKnown(name)), ...added];
  return { names, offered, beside };
}
