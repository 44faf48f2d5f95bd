import type { AgentEvent, EndReason } from '../../agent/index.ts';
import { exitCode } from '../terminal/index.ts';

const codes: Readonly<Record<EndReason, number>> = {
  done: exitCode.ok,
  approval: exitCode.notApproved,
  rounds: exitCode.roundsSpent,
  // Half an answer is none to a script.
  length: exitCode.failed,
  'content-filter': exitCode.failed,
  other: exitCode.failed,
  // By a signal, for which the process has a code of its own, or by the clock.
  cancelled: exitCode.failed,
  error: exitCode.failed,
};

/** What happens beside the events of a turn. */
export interface TurnWatch {
  /** Tools that were refused because nobody could be asked. */
  readonly unasked: ReadonlySet<string>;
  /** Whether the time of the turn is up. */
  readonly isLate?: () => boolean;
}

/** Writes each event of a turn as it happens; the exit code for how the turn ended. */
export async function followTurn(
  events: AsyncIterable<AgentEvent>,
  write: (event: AgentEvent) => void,
  { unasked, isLate = () => false }: TurnWatch,
): Promise<number> {
  let ended: EndReason = 'error';
  for await (const event of events) {
    write(event);
    if (event.type === 'end') ended = event.reason;
  }
  if (ended === 'cancelled' && isLate()) return exitCode.timedOut;
  const isAnswered = ended === 'done' || ended === 'rounds';
  return isAnswered && unasked.size > 0 ? exitCode.notApproved : codes[ended];
}
