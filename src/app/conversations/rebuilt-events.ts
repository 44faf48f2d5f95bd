import { eventsOf, type RebuiltEvent, type ScreenView, screenOf } from '../../agent/index.ts';
import type { Entry, Session } from '../../sessions/index.ts';
import { allSessions } from '../sessions/index.ts';

/** What is rebuilt: a session and its entries so far. */
type Kept = Pick<Session, 'store' | 'id' | 'entries'>;

/** The events of a session and of its subagents, rebuilt from what the store has. */
export async function eventsOfSession({
  store,
  id,
  entries,
}: Kept): Promise<Iterable<RebuiltEvent>> {
  const children = new Map<string, readonly Entry[]>();
  // A fork shares the turns of its subagents with the session that it is a fork of.
  for (let from: string | undefined = id; from !== undefined; ) {
    for await (const record of allSessions(store, from)) {
      const child = record.id.slice(from.length + 1);
      if (!children.has(child)) children.set(child, await store.read(record.id));
    }
    from = (await store.get(from))?.forkOf;
  }
  return eventsOf(entries, (child) => children.get(child) ?? []);
}

/** What a chat shows of a session: rebuilt from its entries and those of its subagents. */
export async function rebuiltView(kept: Kept): Promise<ScreenView> {
  return screenOf(await eventsOfSession(kept));
}
