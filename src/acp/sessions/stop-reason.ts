import type { StopReason } from '@agentclientprotocol/sdk';
import { failureFacts } from '../../agent/events/index.ts';
import type { AgentEvent, EndReason } from '../../agent/index.ts';
import { failureLines } from '../../app/errors/index.ts';
import { failed, refusalOf } from '../refusals/index.ts';

/** Why a turn stopped, in the protocol's words. `error` has none: the request fails. */
export const STOP_REASONS: Readonly<Record<Exclude<EndReason, 'error'>, StopReason>> = {
  done: 'end_turn',
  // The conversation keeps the answer. A `refusal` would say that it does not.
  'content-filter': 'end_turn',
  other: 'end_turn',
  // Only a client that cannot be asked leaves an approval open.
  approval: 'end_turn',
  length: 'max_tokens',
  rounds: 'max_turn_requests',
  cancelled: 'cancelled',
};

export type TurnEnd = Extract<AgentEvent, { type: 'end' }>;

/** The error of a turn that has failed. Its code is in `data`. */
export function turnFailure(end: TurnEnd): Error {
  const { error, code } = end;
  // Such a turn has not begun.
  if (code === 'session-busy') return refusalOf(error);
  return failed(
    failureLines({ ...end, facts: failureFacts(error) }, 'conversation').join(' '),
    code,
  );
}
