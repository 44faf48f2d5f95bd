import type { SessionRecord } from './entry.ts';
import type { Lease } from './lease.ts';
import { MemoryEntries } from './memory-entries.ts';
import { isLeaseFree, type LeaseState } from './owner.ts';
import {
  busySession,
  checkOrder,
  lostSession,
  takenId,
  unknownLeaf,
  unknownSession,
} from './refusals.ts';
import type { InboxMessage, SessionStore } from './store.ts';

interface Held extends LeaseState {
  readonly record: SessionRecord;
  readonly fence: number;
  readonly inbox: readonly InboxMessage[];
  /** The ids of all messages, also of those that were taken. */
  readonly posted: ReadonlySet<string>;
}

/** A store in memory. Its sessions are gone with the process. */
export function memoryStore(): SessionStore {
  const sessions = new Map<string, Held>();
  const entries = new MemoryEntries();

  const held = (id: string): Held => {
    const found = sessions.get(id);
    if (!found) throw unknownSession(id);
    return found;
  };
  const checked = ({ session, fence }: Lease): Held => {
    const found = held(session);
    if (found.fence !== fence || !found.owner) throw lostSession(session);
    return found;
  };
  const change = (id: string, changes: Partial<Held>) =>
    sessions.set(id, { ...held(id), ...changes });

  /** A session and the sessions of its subagents. */
  const family = (id: string): string[] => [
    id,
    ...[...sessions.values()].flatMap(({ record }) =>
      record.parent === id ? family(record.id) : [],
    ),
  ];

  return {
    name: 'memory',
    create: async ({ leaf, ...session }) => {
      if (sessions.has(session.id)) throw takenId('session', session.id);
      const last = leaf === undefined ? undefined : entries.get(leaf);
      if (leaf !== undefined && !last) throw unknownLeaf(leaf);
      const { id, seq, at } = last ?? { id: null, seq: 0, at: 0 };
      const changedAt = Math.max(session.createdAt, at);
      sessions.set(session.id, {
        record: { ...session, leaf: id, seq, changedAt },
        fence: 0,
        owner: undefined,
        renewedAt: 0,
        inbox: [],
        posted: new Set(),
      });
    },
    get: async (id) => sessions.get(id)?.record,
    list: async ({ folder, parent, limit } = {}) =>
      [...sessions.values()]
        .map(({ record }) => record)
        .filter((record) => record.parent === parent)
        .filter((record) => folder === undefined || record.folder === folder)
        .reverse()
        .sort((a, b) => b.changedAt - a.changedAt)
        .slice(0, limit),
    rename: async (id, title) => void change(id, { record: { ...held(id).record, title } }),
    remove: async (id) => {
      if (!sessions.has(id)) return false;
      const removed = family(id);
      for (const each of removed) {
        const { owner, renewedAt } = held(each);
        if (owner && !isLeaseFree({ owner, renewedAt }, Date.now())) throw busySession(each, owner);
      }
      for (const each of removed) sessions.delete(each);
      entries.keepOnly([...sessions.values()].map(({ record }) => record.leaf));
      return true;
    },

    append: async (added, { lease, texts = new Map() }) => {
      const { record } = checked(lease);
      checkOrder(record, added);
      const last = added.at(-1);
      if (!last) return;
      entries.add(added, texts);
      const { id: leaf, seq, at } = last;
      const changedAt = Math.max(record.changedAt, at);
      change(record.id, { record: { ...record, leaf, seq, changedAt }, renewedAt: Date.now() });
    },
    read: async (id, { after = 0 } = {}) => entries.path(held(id).record.leaf, after),
    text: async (address) => entries.text(address),
    search: async (query, { limit = 20 } = {}) =>
      entries.search(
        query,
        [...sessions.values()].map(({ record }) => record),
        limit,
      ),

    acquire: async (session, owner) => {
      const found = held(session);
      const isOwn = found.owner?.instance === owner.instance;
      if (found.owner && !isOwn && !isLeaseFree(found, Date.now()))
        throw busySession(session, found.owner);
      const fence = found.fence + 1;
      const now = Date.now();
      const holder = { ...owner, since: now };
      change(session, { fence, owner: holder, renewedAt: now });
      return { session, fence, owner: holder };
    },
    renew: async (lease) => {
      checked(lease);
      change(lease.session, { renewedAt: Date.now() });
    },
    release: async ({ session, fence }) => {
      if (sessions.get(session)?.fence === fence) change(session, { owner: undefined });
    },
    holder: async (session) => {
      const found = held(session);
      return isLeaseFree(found, Date.now()) ? undefined : found.owner;
    },

    post: async (session, message) => {
      const { inbox, posted } = held(session);
      if (posted.has(message.id)) return;
      change(session, {
        inbox: [...inbox, structuredClone(message)],
        posted: new Set([...posted, message.id]),
      });
    },
    take: async (lease) => {
      const { inbox } = checked(lease);
      change(lease.session, { inbox: [] });
      return inbox;
    },
    close: async () => {},
  };
}
