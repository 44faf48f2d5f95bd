import { type ScreenView, screenOf } from '../../agent/index.ts';
import type { Entry, SessionStore } from '../../sessions/index.ts';
import { eventsOfSession } from './rebuilt-events.ts';

/** What a chat shows of a session: rebuilt from its entries and those of its subagents. */
export async function rebuiltView(
  store: SessionStore,
  id: string,
  entries: readonly Entry[],
): Promise<ScreenView> {
  return screenOf(await eventsOfSession(store, id, entries));
}
