import { eventsOf, type RebuiltEvent, type ScreenView, screenOf } from '../../agent/index.ts';
import type { Entry, SessionStore } from '../../sessions/index.ts';
import { allSessions } from '../sessions/index.ts';

/** The events of a session and of its subagents, rebuilt from what the store has. */
export async function eventsOfSession(
  store: SessionStore,
  id: string,
  entries: readonly Entry[],
): Promise<Iterable<RebuiltEvent>> {
  const children = new Map<string, readonly Entry[]>();
  for await (const record of allSessions(store, id))
    children.set(record.id.slice(id.length + 1), await store.read(record.id));
  return eventsOf(entries, (child) => children.get(child) ?? []);
}

/** What a chat shows of a session: rebuilt from its entries and those of its subagents. */
export async function rebuiltView(
  store: SessionStore,
  id: string,
  entries: readonly Entry[],
): Promise<ScreenView> {
  return screenOf(await eventsOfSession(store, id, entries));
}
