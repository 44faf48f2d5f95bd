import type { Offer } from '../../tools/transcript/index.ts';
import type { LiveSet } from '../tool-set/index.ts';

/** The tools that the SDK offers in a step that began at this mark of its set: its set without those that `activeTools` left out, and tools that the app added. */
export function offerOf(
  { tools, isKnown }: LiveSet,
  ownNames: readonly string[],
  offered: ReadonlySet<string>,
  mark: number,
): Offer {
  // What became known since the step began was not left out by the app.
  const all = Object.keys(tools).filter((name) => !isKnown(name) || isKnown(name, mark));
  // Most requests leave no tool out.
  const names = all.every((name) => offered.has(name)) ? [] : all;
  const added = [...offered].filter((name) => !Object.hasOwn(tools, name));
  const beside = [...ownNames.filter((name) => !isKnown(name)), ...added];
  return { names, offered, beside };
}
