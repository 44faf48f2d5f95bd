import type { SessionRecord, SessionStore } from '../../sessions/index.ts';
import { type ListedSession, listedSession } from './listed-session.ts';

/** Most entries that a search looks at. */
const MOST_HITS = 1000;

/** Which sessions are listed. */
export interface SessionQuery {
  /** Words that must occur in a message; the last one may be a beginning. Empty for all sessions. */
  readonly words: string;
  /** Left out, those of all folders. */
  readonly folder?: string | undefined;
  readonly limit: number;
}

/**
 * The sessions that changed last, or those with these words in them or in a session of a subagent, the best match
 * first.
 */
export async function foundSessions(
  store: SessionStore,
  { words, folder, limit }: SessionQuery,
): Promise<ListedSession[]> {
  const place = folder === undefined ? {} : { folder };
  const listed: ListedSession[] = [];
  if (words === '') {
    for (const record of await store.list({ limit, ...place }))
      listed.push(await listedSession(store, record));
    return listed;
  }
  const seen = new Set<string>();
  for (const { session, excerpt } of await store.search(words, { limit: MOST_HITS })) {
    const record = await topOf(store, session);
    if (!record || seen.has(record.id)) continue;
    seen.add(record.id);
    if (folder !== undefined && record.folder !== folder) continue;
    listed.push({ ...(await listedSession(store, record)), excerpt });
    if (listed.length === limit) break;
  }
  return listed;
}

/** The session at the top of a subagent's session. */
async function topOf(store: SessionStore, id: string): Promise<SessionRecord | undefined> {
  const record = await store.get(id);
  return record?.parent === undefined ? record : topOf(store, record.parent);
}
