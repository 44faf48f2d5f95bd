import type { SessionRecord } from './entry.ts';
import { isLeaseFree, type Lease, type Owner } from './lease.ts';
import { MemoryEntries } from './memory-entries.ts';
import {
  busySession,
  checkOrder,
  lostSession,
  takenId,
  unknownLeaf,
  unknownSession,
} from './refusals.ts';
import type { InboxMessage, SessionStore } from './store.ts';

interface Held {
  record: SessionRecord;
  fence: number;
  owner: Owner | undefined;
  renewedAt: number;
  readonly inbox: InboxMessage[];
  /** The ids of all messages, also of those that were taken. */
  readonly posted: Set<string>;
}

/** A store in memory. Its sessions are gone with the process. */
export function memoryStore(): SessionStore {
  const sessions = new Map<string, Held>();
  const entries = new MemoryEntries();
  const records = () => [...sessions.values()].map(({ record }) => record);

  const held = (id: string): Held => {
    const found = sessions.get(id);
    if (!found) throw unknownSession(id);
    return found;
  };
  const leased = ({ session, fence }: Lease): Held => {
    const found = held(session);
    if (found.fence !== fence || !found.owner) throw lostSession(session);
    return found;
  };
  const holder = (id: string) => {
    const found = held(id);
    return isLeaseFree(found, Date.now()) ? undefined : found.owner;
  };

  /** A session and the sessions of its subagents. */
  const family = (id: string): string[] => [
    id,
    ...records().flatMap((record) => (record.parent === id ? family(record.id) : [])),
  ];

  return {
    name: 'memory',
    create: async ({ leaf, ...session }) => {
      if (sessions.has(session.id)) throw takenId('session', session.id);
      const last = leaf === undefined ? undefined : entries.get(leaf);
      if (leaf !== undefined && !last) throw unknownLeaf(leaf);
      const { id, seq, at } = last ?? { id: null, seq: 0, at: 0 };
      const changedAt = Math.max(session.createdAt, at);
      const record = { ...session, leaf: id, seq, changedAt };
      const released = { fence: 0, owner: undefined, renewedAt: 0 };
      sessions.set(session.id, { record, ...released, inbox: [], posted: new Set() });
    },
    get: async (id) => sessions.get(id)?.record,
    list: async ({ folder, parent, limit } = {}) =>
      records()
        .filter((record) => record.parent === parent)
        .filter((record) => folder === undefined || record.folder === folder)
        .reverse()
        .sort((a, b) => b.changedAt - a.changedAt)
        .slice(0, limit),
    rename: async (id, title) => {
      const found = held(id);
      found.record = { ...found.record, title };
    },
    remove: async (id) => {
      if (!sessions.has(id)) return false;
      const removed = family(id);
      for (const each of removed) {
        const owner = holder(each);
        if (owner) throw busySession(each, owner);
      }
      for (const each of removed) sessions.delete(each);
      entries.keepOnly(records().map(({ leaf }) => leaf));
      return true;
    },

    append: async (added, { lease, texts = new Map() }) => {
      const found = leased(lease);
      const { record } = found;
      checkOrder(record, added);
      const last = added.at(-1);
      if (!last) return;
      entries.add(added, texts);
      const { id: leaf, seq, at } = last;
      found.record = { ...record, leaf, seq, changedAt: Math.max(record.changedAt, at) };
      found.renewedAt = Date.now();
    },
    read: async (id, { after = 0 } = {}) => entries.path(held(id).record.leaf, after),
    text: async (address) => entries.text(address),
    search: async (query, { limit = 20 } = {}) => entries.search(query, records(), limit),

    acquire: async (session, owner) => {
      const found = held(session);
      const other = found.owner?.instance === owner.instance ? undefined : holder(session);
      if (other) throw busySession(session, other);
      const since = Date.now();
      const lease = { session, fence: found.fence + 1, owner: { ...owner, since } };
      Object.assign(found, { fence: lease.fence, owner: lease.owner, renewedAt: since });
      return lease;
    },
    renew: async (lease) => {
      leased(lease).renewedAt = Date.now();
    },
    release: async ({ session, fence }) => {
      const found = sessions.get(session);
      if (found?.fence === fence) found.owner = undefined;
    },
    holder: async (session) => holder(session),

    post: async (session, message) => {
      const { inbox, posted } = held(session);
      if (posted.has(message.id)) return;
      posted.add(message.id);
      inbox.push(structuredClone(message));
    },
    take: async (lease) => leased(lease).inbox.splice(0),
    close: async () => {},
  };
}
