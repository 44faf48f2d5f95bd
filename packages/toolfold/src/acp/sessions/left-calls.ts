import type { ScreenTurn, UnknownCall } from '@toolfold/agent/internal/agent';
import { INTERRUPTED_MESSAGE } from '@toolfold/agent/internal/agent/state';
import { unknownQuestion } from '../../app/asking/index.ts';
import { linesAbove } from '../../app/questions/index.ts';
import type { Decision } from './commands.ts';

/**
 * The calls of a session whose outcome nobody knows, by their ids. An endpoint may use an id again. Without those that a later
 * message has decided about: it has `decisionText`.
 */
export function leftCalls(turns: readonly ScreenTurn[]): ReadonlyMap<string, UnknownCall[]> {
  const left = new Map<string, UnknownCall[]>();
  for (const turn of turns) {
    for (const [id, calls] of left)
      if (calls.some((call) => isDecision(turn.user, call))) left.delete(id);
    for (const call of unknownIn([turn])) left.set(call.id, [...(left.get(call.id) ?? []), call]);
  }
  return left;
}

/** The message that tells the model what the user has decided about a call. */
export function decisionText(choice: Decision['name'], call: UnknownCall): string {
  const [shown = ''] = linesAbove(unknownQuestion(call));
  const words =
    choice === 'again'
      ? 'Run this call again, with the same arguments'
      : 'This call has taken effect. Do not run it again';
  return `${words}: ${shown} (${call.id})`;
}

function isDecision(text: string | undefined, call: UnknownCall): boolean {
  return text === decisionText('again', call) || text === decisionText('happened', call);
}

/** Those of subagents included. */
function unknownIn(turns: readonly ScreenTurn[], subagent?: string): readonly UnknownCall[] {
  return turns.flatMap(({ blocks }) =>
    blocks.flatMap((block) => {
      if (block.kind !== 'call') return [];
      const { id, name, arguments: given, status, error, children } = block;
      const path = subagent === undefined ? '' : `${subagent}/`;
      const of = subagent === undefined ? {} : { subagent };
      const call = { id: `${path}${id}`, name, arguments: given, ...of };
      const below = children.flatMap(({ turns, child }) => unknownIn(turns, `${path}${child}`));
      // It has failed where the user was asked and said nothing.
      const isUnknown = status === 'unknown' || error === INTERRUPTED_MESSAGE;
      return isUnknown ? [call, ...below] : below;
    }),
  );
}
