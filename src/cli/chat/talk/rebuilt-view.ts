import { type ScreenView, screenOf } from '../../../agent/index.ts';
import type { Entry, SessionStore } from '../../../sessions/index.ts';
import { eventsOfSession, openAnswer } from '../../turns/index.ts';

/** What a chat shows of a session: rebuilt from its entries and those of its subagents. */
export async function rebuiltView(
  store: SessionStore,
  id: string,
  entries: readonly Entry[],
): Promise<ScreenView> {
  return screenOf(await eventsOfSession(store, id, entries));
}

/**
 * The entries before an answer that will be given again: a turn that stopped while the calls of an answer
 * ran goes on with this answer. All entries if there is none.
 */
export function withoutOpenAnswer(entries: readonly Entry[]): readonly Entry[] {
  return openAnswer(entries) ? entries.slice(0, entries.findLastIndex(isAnswer)) : entries;
}

function isAnswer({ kind }: Entry): boolean {
  return kind === 'model';
}
