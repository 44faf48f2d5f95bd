import type { WireTool } from '../declared-tools/index.ts';
import { isAnswerable, isMarked, type SdkView } from '../tool-set/index.ts';

interface Step {
  readonly offered: ReadonlyMap<string, WireTool>;
  readonly view: SdkView;
  readonly isKnown: (name: string) => boolean;
}

/**
 * The name under which the SDK gets a call that must not run: its own name if the tool of this view
 * gives the refusal, else the name of the executor, which runs no tool. `isDenied`: the call stays
 * denied even if its name or input changes.
 */
export function nameForRefusal(name: string, isDenied: boolean, step: Step): string {
  const { offered, view } = step;
  const { set } = view;
  const { executor } = view.inputs;
  const fallback = offered.has(executor) ? executor : name;
  const tool = offered.get(name);
  if (tool) {
    const isOurs = view.marks.has(tool);
    if (isOurs && set.runs(name)) return name;
    // Toolfold can stop a tool that it does not run only in `toolApproval`, if the SDK uses that.
    const isStopped = isDenied && set.use() !== 'unknown' && (isOurs || !isMarked(tool));
    return isStopped ? name : fallback;
  }
  return answersUnlisted(step) && isAnswerable(name) ? name : fallback;
}

/** Whether the set answers for names that it does not list. A copy of the set does not: `activeTools` makes one. */
export function answersUnlisted(step: Step): boolean {
  return step.view.set.use() !== 'copy' && !isFiltered(step);
}

function isFiltered({ offered, view, isKnown }: Step): boolean {
  return Object.keys(view.set.tools).some((name) => isKnown(name) && !offered.has(name));
}
