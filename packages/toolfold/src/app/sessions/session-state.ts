import type { Owner, SessionRecord, SessionStore } from '@toolfold/agent/internal/sessions';
import { formatCount } from '../terminal/index.ts';
import { readTranscript, type Transcript } from '../transcript/index.ts';

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
export async function lastTurn(store: SessionStore, record: SessionRecord): Promise<Transcript> {
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
