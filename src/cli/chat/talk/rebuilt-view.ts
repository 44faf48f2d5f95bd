import { eventsOf, type ScreenView, screenOf } from '../../../agent/index.ts';
import type { Entry, SessionStore } from '../../../sessions/index.ts';
import { isRecord, own } from '../../../tools/values/index.ts';

/** What a chat shows of a session: rebuilt from its entries and those of its subagents. */
export async function rebuiltView(
  store: SessionStore,
  id: string,
  entries: readonly Entry[],
): Promise<ScreenView> {
  const children = new Map<string, readonly Entry[]>();
  await readChildren(store, id, entries, '', children);
  return screenOf(eventsOf(entries, (child) => children.get(child) ?? []));
}

/**
 * The entries before an answer that will be given again: a turn that goes on in its middle begins with the
 * last answer that was recorded. All entries if the last turn has ended.
 */
export function withoutOpenAnswer(entries: readonly Entry[]): readonly Entry[] {
  const at = entries.findLastIndex(({ kind }) => kind === 'model');
  const hasEnded = entries
    .slice(at + 1)
    .some(({ kind, body }) => kind === 'event' && own(own(body, 'event'), 'type') === 'end');
  return at < 0 || hasEnded ? entries : entries.slice(0, at);
}

/** Reads the entries of all subagents, at all levels. */
async function readChildren(
  store: SessionStore,
  id: string,
  entries: readonly Entry[],
  path: string,
  into: Map<string, readonly Entry[]>,
): Promise<void> {
  for (const { kind, body } of entries) {
    const names = kind === 'children' ? own(body, 'names') : undefined;
    for (const name of isRecord(names) ? Object.values(names) : []) {
      const child = `${path}${String(name)}`;
      if (into.has(child)) continue;
      const own = await store.read(`${id}/${child}`);
      into.set(child, own);
      await readChildren(store, id, own, `${child}/`, into);
    }
  }
}
