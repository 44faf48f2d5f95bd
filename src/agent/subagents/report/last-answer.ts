import { ownProperty } from '../../../tools/values/index.ts';
import type { AgentEvent, EndReason } from '../../events/index.ts';
import { failureText, type WorkResult } from '../engine/index.ts';
import { hasContent } from './answer.ts';

/** Maximum characters of an answer that are passed on: far more than a report has room for. */
const MAX_PASSED_ON = 200_000;

/** Why an answer may be incomplete. */
const CUT_SHORT: Readonly<Partial<Record<EndReason, string>>> = {
  rounds: 'It used all its tool rounds',
  length: "It was cut off at the model's limit",
  'content-filter': "It was stopped by the provider's filter",
  other: 'Its provider ended it for an unknown reason',
};

/** How the turn of a child has ended. */
export type TurnEnd = Pick<Extract<AgentEvent, { type: 'end' }>, 'reason' | 'error'>;

/**
 * The result of a child. `texts`: of the answers of its turn. Text before tool calls is its answer only if no later
 * answer has any. `isFlood`: its answer was too long.
 */
export function resultOf(
  texts: readonly string[],
  { reason, error }: TurnEnd,
  isFlood: boolean,
): WorkResult {
  const text = (texts.findLast(hasContent) ?? '').slice(0, MAX_PASSED_ON);
  if (isFlood)
    return { status: 'incomplete', text, error: 'It was stopped: its answer was too long.' };
  if (reason === 'error') return { status: 'failed', text, error: messageOf(error) };
  const why = CUT_SHORT[reason];
  if (!hasContent(text))
    return { status: 'failed', text: '', error: `${why ?? 'It ended'} without an answer.` };
  return why === undefined
    ? { status: 'done', text }
    : { status: 'incomplete', text, error: `${why}: the answer may be partial.` };
}

/** The message of an error, with the HTTP status if it has one. */
function messageOf(error: unknown): string {
  const status = ownProperty(error, 'statusCode');
  const message = failureText(error);
  return typeof status === 'number' ? `${message} (status ${status})` : message;
}
