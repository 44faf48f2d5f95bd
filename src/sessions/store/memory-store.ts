import { ToolfoldError } from '../../errors.ts';
import type { Entry, SessionRecord } from './entry.ts';
import type { Lease, Owner } from './lease.ts';
import type { InboxMessage, SessionStore } from './store.ts';

interface Held {
  record: SessionRecord;
  fence: number;
  owner: Owner | undefined;
  readonly inbox: InboxMessage[];
}

/** A store in memory. Its sessions are gone with the process. */
export function memoryStore(): SessionStore {
  const sessions = new Map<string, Held>();
  const entries = new Map<string, Entry>();
  const texts = new Map<string, string>();
  const held = (id: string): Held => {
    const found = sessions.get(id);
    if (found) return found;
    throw new ToolfoldError(
      'session-unknown',
      `There is no session "${id}".`,
      'List the sessions.',
    );
  };
  const checked = ({ session, fence }: Lease): Held => {
    const found = held(session);
    if (found.fence === fence && found.owner) return found;
    throw new ToolfoldError(
      'session-lost',
      `Another process writes the session "${session}" now.`,
      'Open the session again.',
    );
  };
  return {
    name: 'memory',
    create: async ({ leaf, ...session }) => {
      const last = leaf === undefined ? undefined : entries.get(leaf);
      const record = { ...session, leaf: last?.id ?? null, seq: last?.seq ?? 0 };
      sessions.set(session.id, {
        record: { ...record, changedAt: session.createdAt },
        fence: 0,
        owner: undefined,
        inbox: [],
      });
    },
    get: async (id) => sessions.get(id)?.record,
    list: async () => [...sessions.values()].map(({ record }) => record),
    rename: async (id, title) => {
      const found = held(id);
      found.record = { ...found.record, title };
    },
    remove: async (id) => sessions.delete(id),
    append: async (added, { lease, texts: given = new Map() }) => {
      const found = checked(lease);
      for (const [address, text] of given) texts.set(address, text);
      for (const { words: _, ...entry } of added) {
        entries.set(entry.id, entry);
        const { id: leaf, seq, at: changedAt } = entry;
        found.record = { ...found.record, leaf, seq, changedAt };
      }
    },
    read: async (id, { after = 0 } = {}) => {
      const path: Entry[] = [];
      let at = held(id).record.leaf;
      while (at !== null) {
        const entry = entries.get(at);
        if (!entry || entry.seq <= after) break;
        path.push(entry);
        at = entry.parent;
      }
      return path.reverse();
    },
    text: async (address) => texts.get(address),
    search: async () => [],
    acquire: async (session, owner) => {
      const found = held(session);
      found.fence++;
      found.owner = owner;
      return { session, fence: found.fence, owner };
    },
    renew: async (lease) => void checked(lease),
    release: async ({ session, fence }) => {
      const found = held(session);
      if (found.fence === fence) found.owner = undefined;
    },
    holder: async (session) => held(session).owner,
    post: async (session, message) => void held(session).inbox.push(message),
    take: async (lease) => checked(lease).inbox.splice(0),
    close: async () => {},
  };
}
