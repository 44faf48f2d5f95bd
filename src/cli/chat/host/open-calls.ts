import type { ScreenCall, ScreenTurn, ScreenView } from '../../../agent/index.ts';
import { readTranscript } from '../../../agent/transcript/index.ts';
import type { Entry } from '../../../sessions/index.ts';
import { quantity } from '../../terminal/index.ts';

/** The calls of the last turn, those of its subagents included, that the user is asked about. */
export function askedCalls({ turns }: ScreenView): readonly ScreenCall[] {
  const last = turns.at(-1);
  return last ? callsOf(last).filter(({ status }) => status === 'asked') : [];
}

/** What a session has open, in words: calls that wait, and calls that may have taken effect. */
export function openFacts(entries: readonly Entry[]): readonly string[] {
  const { open } = readTranscript(entries);
  const count = (kind: string) => open.filter(({ state }) => state === kind).length;
  const [waiting, unknown] = [count('waiting'), count('unknown')];
  return [
    ...(waiting === 0 ? [] : [`Waiting for your approval: ${quantity(waiting, 'call')}`]),
    ...(unknown === 0 ? [] : [`Started, with an unknown outcome: ${quantity(unknown, 'call')}`]),
  ];
}

function callsOf({ blocks }: ScreenTurn): readonly ScreenCall[] {
  return blocks.flatMap((block) =>
    block.kind === 'call'
      ? [block, ...block.children.flatMap(({ turns }) => turns.flatMap(callsOf))]
      : [],
  );
}
