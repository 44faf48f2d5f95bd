import type { ScreenCall, ScreenTurn, ScreenView } from '../../../agent/index.ts';

/** Whether the last turn has stopped in its middle, so that it can go on. */
export function isInterrupted({ turns }: ScreenView): boolean {
  const last = turns.at(-1);
  return last !== undefined && (!last.end || last.end.reason === 'approval');
}

/** The calls of the last turn, those of its subagents included, that the user is asked about. */
export function askedCalls({ turns }: ScreenView): readonly ScreenCall[] {
  const last = turns.at(-1);
  return last ? callsOf(last).filter(({ status }) => status === 'asked') : [];
}

/** Calls of the last turn that were interrupted, so that nobody knows whether they took effect. */
export function unknownCalls({ turns }: ScreenView): readonly ScreenCall[] {
  const last = turns.at(-1);
  return last ? callsOf(last).filter(({ status }) => status === 'unknown') : [];
}

function callsOf({ blocks }: ScreenTurn): readonly ScreenCall[] {
  return blocks.flatMap((block) =>
    block.kind === 'call'
      ? [block, ...block.children.flatMap(({ turns }) => turns.flatMap(callsOf))]
      : [],
  );
}
