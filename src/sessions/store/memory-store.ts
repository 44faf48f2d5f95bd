import type { JsonObject } from '../../tools/values/index.ts';
import { elapsed, type Moment, thisMoment } from './clock.ts';
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
import { type PostedMessage, type SessionStore, WATCH_TIME } from './store.ts';

interface Held {
  record: SessionRecord;
  fence: number;
  owner: Owner | undefined;
  renewed: Moment;
  inbox: readonly PostedMessage[];
  /** The ids of all messages, also of those that were taken. */
  readonly posted: Set<string>;
  /** When somebody watched last. */
  watched: Moment | undefined;
  /** What its holder shows. */
  draft: JsonObject | undefined;
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
    return isLeaseFree(found, thisMoment()) ? undefined : found.owner;
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
      const released = { fence: 0, owner: undefined, renewed: { at: 0 } };
      const silent = { inbox: [], posted: new Set<string>(), watched: undefined, draft: undefined };
      sessions.set(session.id, { record, ...released, ...silent });
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

    append: async (added, { lease, texts = new Map(), taken = [] }) => {
      const found = leased(lease);
      const { record } = found;
      checkOrder(record, added);
      const last = added.at(-1);
      if (!last) return;
      entries.add(added, texts);
      const { id: leaf, seq, at } = last;
      found.record = { ...record, leaf, seq, changedAt: Math.max(record.changedAt, at) };
      found.renewed = thisMoment();
      found.inbox = found.inbox.filter((one) => !taken.includes(one.id));
    },
    read: async (id, { after = 0 } = {}) => entries.path(held(id).record.leaf, after),
    text: async (address) => entries.text(address),
    search: async (query, { limit = 20 } = {}) => entries.search(query, records(), limit),

    acquire: async (session, owner) => {
      const found = held(session);
      const other = found.owner?.instance === owner.instance ? undefined : holder(session);
      if (other) throw busySession(session, other);
      const renewed = thisMoment();
      const lease = { session, fence: found.fence + 1, owner: { ...owner, since: renewed.at } };
      Object.assign(found, { fence: lease.fence, owner: lease.owner, renewed, draft: undefined });
      return lease;
    },
    renew: async (lease) => {
      leased(lease).renewed = thisMoment();
    },
    release: async ({ session, fence }) => {
      const found = sessions.get(session);
      if (found?.fence === fence) Object.assign(found, { owner: undefined, draft: undefined });
    },
    holder: async (session) => holder(session),

    post: async (session, message) => {
      const found = held(session);
      if (found.posted.has(message.id)) return;
      found.posted.add(message.id);
      const changed = family(session).map((id) => held(id).record.changedAt);
      const at = Math.max(Date.now(), ...changed.map((time) => time + 1));
      found.inbox = [...found.inbox, { ...structuredClone(message), at }];
    },
    look: async (lease) => {
      const { inbox: messages, watched } = leased(lease);
      const isWatched = watched !== undefined && elapsed(watched, thisMoment()) < WATCH_TIME;
      return { messages, isWatched };
    },
    show: async (lease, draft) => {
      leased(lease).draft = structuredClone(draft);
    },
    watch: async (session) => {
      const found = held(session);
      found.watched = thisMoment();
      return holder(session) && structuredClone(found.draft);
    },
    close: async () => {},
  };
}
