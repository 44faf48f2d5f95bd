import { entryText } from '@toolfold/agent/internal/entries';
import type { Owner, SessionRecord, SessionStore } from '@toolfold/agent/internal/sessions';
import { formatCount, pick, plainLine } from '@toolfold/core/internal/values';
import { readTranscript, type Transcript } from './transcript.ts';

/** Most characters of a title, and of one that is made of the user's words. */
const MAX_TITLE = 120;
const MAX_NEW_TITLE = 80;

/** A session as `toolfold sessions ls --json` shows it. */
export interface ListedSession {
  readonly id: string;
  /** The title, or the first words of the user. Absent if there are none. */
  readonly title?: string;
  readonly folder?: string;
  /** The session that it is a fork of. */
  readonly forkOf?: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly changedAt: number;
  readonly turns: number;
  readonly entries: number;
  readonly state: SessionState;
  /** The words around the first match of a search. */
  readonly excerpt?: string;
}

export async function listedSession(
  store: SessionStore,
  record: SessionRecord,
): Promise<ListedSession> {
  const { id, createdAt, changedAt, seq } = record;
  const transcript = await lastTurn(store, record);
  const title = await titleOf(store, record);
  return {
    id,
    ...(title === '' ? {} : { title }),
    ...pick(record, 'folder', 'forkOf'),
    ...{ createdAt, changedAt, turns: transcript.turns, entries: seq },
    state: sessionState(transcript, await store.holder(id)),
  };
}

/** The title of a new session: the first words of the user. Absent if there are none. */
export function newTitle(words: string): { readonly title?: string } {
  const title = plainLine(words, MAX_NEW_TITLE);
  return title === '' ? {} : { title };
}

/** The title of a session as one line, else the first words of the user. Empty if there are none. */
export async function titleOf(
  store: SessionStore,
  { id, title }: Pick<SessionRecord, 'id' | 'title'>,
): Promise<string> {
  const given = plainLine(title ?? '', MAX_TITLE);
  if (given !== '') return given;
  for (const entry of await store.read(id)) {
    const words = entry.kind === 'user' ? plainLine(entryText(entry) ?? '', MAX_TITLE) : '';
    if (words !== '') return words;
  }
  return '';
}

/** Most entries that a search looks at. */
const MOST_HITS = 1000;

/** Which sessions are listed. */
interface SessionQuery {
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

/**
 * What a session does. `empty`: it has no turn. `running`: a process writes it. `unknown`: calls have
 * started whose outcome nobody knows. `waiting`: for approval. `interrupted`: its last turn has not
 * ended. `ended`: its last turn has.
 */
export interface SessionState {
  readonly kind: 'empty' | 'running' | 'unknown' | 'waiting' | 'interrupted' | 'ended';
  /** The process that writes it. */
  readonly owner?: Pick<Owner, 'host' | 'pid'>;
  /** How many calls wait or are unknown. */
  readonly calls?: number;
  /** Why the last turn ended. */
  readonly reason?: string;
}

/** How many of the last entries are read at first. */
const TAIL = 64;

/** The transcript of the last turn. Only as many entries are read as it needs. */
async function lastTurn(store: SessionStore, record: SessionRecord): Promise<Transcript> {
  for (let length = TAIL; ; length *= 4) {
    const after = Math.max(0, record.seq - length);
    const entries = await store.read(record.id, { after });
    // A turn that only goes on with one of the user has calls of earlier ones.
    const from = entries.findLastIndex(({ kind, body }) => kind === 'turn' && body.how === 'send');
    if (from >= 0 || after === 0) return readTranscript(entries.slice(Math.max(0, from)));
  }
}

/** `transcript`: at least of the last turn. `owner`: who writes the session. */
export function sessionState(
  transcript: Pick<Transcript, 'open' | 'end' | 'turns'>,
  owner: Owner | undefined,
): SessionState {
  const { open, end, turns } = transcript;
  if (owner) return { kind: 'running', owner: { host: owner.host, pid: owner.pid } };
  for (const kind of ['unknown', 'waiting'] as const) {
    const calls = open.filter(({ state }) => state === kind).length;
    if (calls > 0) return { kind, calls };
  }
  if (end) return { kind: 'ended', reason: end.reason };
  return { kind: turns === 0 ? 'empty' : 'interrupted' };
}

/** The state in a few words. `host`: that of this process. */
export function stateText(
  { kind, owner, calls = 0, reason = '' }: SessionState,
  host: string,
): string {
  switch (kind) {
    case 'running': {
      const where = owner?.host === host ? '' : ` on ${owner?.host}`;
      return `running (process ${owner?.pid}${where})`;
    }
    case 'unknown':
      return `interrupted, ${formatCount(calls, 'call')} unknown`;
    case 'waiting':
      return `waiting for approval of ${formatCount(calls, 'call')}`;
    case 'ended':
      return reason;
    default:
      return kind;
  }
}
