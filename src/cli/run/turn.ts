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
  // By a signal, for which the process has a code of its own.
  cancelled: exitCode.failed,
  error: exitCode.failed,
};

/** Writes each event of a turn as it happens; the exit code for how the turn ended. */
export async function followTurn(
  events: AsyncIterable<AgentEvent>,
  write: (event: AgentEvent) => void,
  approvals: { readonly unasked: ReadonlySet<string> },
): Promise<number> {
  let ended: EndReason = 'error';
  for await (const event of events) {
    write(event);
    if (event.type === 'end') ended = event.reason;
  }
  const isAnswered = ended === 'done' || ended === 'rounds';
  return isAnswered && approvals.unasked.size > 0 ? exitCode.notApproved : codes[ended];
}
