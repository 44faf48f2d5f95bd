import type { Session } from '../../sessions/index.ts';
import { textOf } from '../conversation/index.ts';
import type { AgentEvent } from '../events/index.ts';
import { Journal } from '../journal/index.ts';
import type { WorkResult } from './engine/index.ts';

/** The result of a child that has ended in an earlier process. */
export function keptOutcome(session: Session): WorkResult | undefined {
  const { outcome } = new Journal(session).state;
  return outcome && (outcome as WorkResult);
}

/** Writes how a child has ended. */
export async function keepOutcome(session: Session, result: WorkResult): Promise<void> {
  const journal = new Journal(session);
  await journal.begin({ onFailure: () => {}, onMessage: () => {} });
  try {
    await journal.write(['outcome', result]);
  } finally {
    await journal.end();
  }
}

/** The last text and the end of a child whose turn has ended, but whose result was not written. */
export function lastEvents(session: Session): readonly AgentEvent[] | undefined {
  const { end, messages } = new Journal(session).state;
  if (end === undefined) return;
  const last = messages.findLast(({ role }) => role === 'assistant');
  const text = last ? textOf(last) : '';
  return [
    { type: 'text', text },
    { type: 'end', reason: end, text },
  ];
}
