import { isMarked } from '../metadata/index.ts';
import { isAnswerable, type LiveSet } from '../tool-set/index.ts';
import type { WireTool } from '../wire/index.ts';

interface Step {
  readonly offered: ReadonlyMap<string, WireTool>;
  readonly set: LiveSet;
  readonly executor: string;
  readonly isKnown: (name: string) => boolean;
}

/**
 * Under which name the SDK is told of a call that must not run: its own where this view's tool
 * answers for it, else the executor's, which runs nothing. `isFinal`: denied, whatever comes of it.
 */
export function placeOf(name: string, isFinal: boolean, step: Step): string {
  const { offered, set, executor } = step;
  const fallback = offered.has(executor) ? executor : name;
  const tool = offered.get(name);
  if (tool) {
    const isOurs = set.owns(tool);
    if (isOurs && set.runs(name)) return name;
    // What Toolfold does not run is held at the point of approval alone, where that is in use.
    const isHeld = isFinal && set.use() !== 'unknown' && (isOurs || !isMarked(tool));
    return isHeld ? name : fallback;
  }
  // The set answers for names it lacks; a copy of it, which `activeTools` makes too, does not.
  const isHere = set.use() !== 'copy' && !isFiltered(step);
  return isHere && isAnswerable(name) ? name : fallback;
}

function isFiltered({ offered, set, isKnown }: Step): boolean {
  return Object.keys(set.tools).some((name) => isKnown(name) && !offered.has(name));
}
