import type { EndReason } from '@toolfold/agent/internal/agent';
import { exitCode } from '../terminal/index.ts';

/** Any other end is a failure: a script cannot use an incomplete answer. Signals have exit codes of their own. */
const codes: Readonly<Partial<Record<EndReason, number>>> = {
  done: exitCode.ok,
  approval: exitCode.notApproved,
  rounds: exitCode.noRoundsLeft,
};

/** State of a turn that its events do not carry. */
export interface TurnWatch {
  /** Tools that were denied because nobody could be asked. */
  readonly unasked: ReadonlySet<string>;
  /** Whether the turn reached its time limit. */
  readonly isTimedOut?: () => boolean;
}

/** The exit code for the end of a turn. */
export function turnCode(
  ended: EndReason,
  { unasked, isTimedOut = () => false }: TurnWatch,
): number {
  if (ended === 'cancelled' && isTimedOut()) return exitCode.timedOut;
  const isAnswered = ended === 'done' || ended === 'rounds';
  return isAnswered && unasked.size > 0 ? exitCode.notApproved : (codes[ended] ?? exitCode.failed);
}
