import type { Session } from '../../sessions/index.ts';
import type { JsonObject } from '../../tools/values/index.ts';
import { textOf } from '../conversation/index.ts';
import { plainValue } from '../entries/index.ts';
import type { AgentEvent } from '../events/index.ts';
import { stateOf } from '../log/index.ts';
import type { WorkResult } from './engine/index.ts';

/** What the session of a child says about its end. */
export interface EndedChild {
  /** Its result, if that was written. */
  readonly outcome: WorkResult | undefined;
  /** The last text and the end of its turn; undefined if the turn has not ended. */
  readonly events: readonly AgentEvent[] | undefined;
}

/** How a child of an earlier process has ended. */
export function endOfChild(session: Session): EndedChild {
  const { outcome, end, messages } = stateOf(session.entries);
  const last = messages.findLast(({ role }) => role === 'assistant');
  const text = last ? textOf(last) : '';
  return {
    outcome: outcome as WorkResult | undefined,
    events: end && [
      { type: 'text', text },
      { type: 'end', reason: end, text },
    ],
  };
}

/** Writes how a child has ended. */
export async function keepOutcome(session: Session, result: WorkResult): Promise<void> {
  await session.begin({ onLost: () => {}, onMessage: () => {} });
  try {
    await session.append([{ kind: 'outcome', body: plainValue(result) as JsonObject }]);
  } finally {
    await session.end();
  }
}
