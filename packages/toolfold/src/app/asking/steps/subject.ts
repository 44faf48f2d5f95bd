import { oneLine } from '../../terminal/index.ts';

/** Most characters of the arguments in a question: their beginning and their end. */
export const MAX_ARGUMENTS = 2_000;
/** Most characters of a name and of a subagent's path. */
export const MAX_NAME = 64;

/** A call in a few words: its tool, behind the subagent that calls it. */
export function subjectOf({
  name,
  subagent,
}: {
  readonly name: string;
  readonly subagent?: string | undefined;
}): string {
  return `${askerOf(subagent)}${oneLine(name, MAX_NAME)}`;
}

/** The subagent that asks, in front of what it asks. */
export function askerOf(subagent: string | undefined): string {
  return subagent === undefined ? '' : `[${oneLine(subagent, MAX_NAME)}] `;
}
