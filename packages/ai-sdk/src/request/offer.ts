import type { Offer } from '@toolfold/core/internal/tools/active';
import type { LiveSet } from '../tool-set/index.ts';

/**
 * The tools that the SDK offers in a step that began at this mark of its set: its set without those that
 * `activeTools` left out, and tools that the app added. `usesBridges`: calls of bridge tools are answered
 * inside the model call, so that `activeTools` need not name them.
 */
export function offerOf(
  set: LiveSet,
  ownNames: readonly string[],
  offered: ReadonlyMap<string, unknown>,
  { mark, usesBridges }: { readonly mark: number; readonly usesBridges: boolean },
): Offer {
  // What became known since the step began was not left out by the app.
  const all = set.names(mark);
  const isWhole = all.every((name) => offered.has(name));
  const ownBeside = [...set.unknownOf(ownNames)];
  // Most requests leave no tool out and add none.
  if (isWhole && offered.size === all.length)
    return { names: [], offered, beside: ownBeside, usesBridges };
  const added = [...offered.keys()].filter((name) => !Object.hasOwn(set.tools, name));
  return { names: isWhole ? [] : all, offered, beside: [...ownBeside, ...added], usesBridges };
}
