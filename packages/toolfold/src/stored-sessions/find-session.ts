import { join, resolve } from 'node:path';
import type { SessionRecord, SessionStore } from '@toolfold/agent/internal/sessions';
import { userFolder } from '@toolfold/config/internal/files';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { usageError } from '../terminal/index.ts';

/** The folder of the sessions: that of the variable `TOOLFOLD_SESSIONS`, else one of the user's data. */
export function sessionsFolder(): string {
  const { TOOLFOLD_SESSIONS: folder = '' } = process.env;
  return folder.trim() === '' ? join(userFolder('data'), 'sessions') : resolve(folder);
}

/** Characters of an id that are shown where it is a UUID. */
const SHORT = 8;
/** Most ids that an error names. */
const MOST_NAMED = 5;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** The beginning of an id that is shown to users. Ids that an app has chosen are shown whole. */
export function shortId(id: string): string {
  return UUID.test(id) ? id.slice(0, SHORT) : id;
}

/**
 * The session with this id, or the only one whose id begins with it; those of subagents count only if there is no other.
 * Rejects with `session-unknown` if there is none, and with `invalid-option` if there are several.
 */
export async function findSession(store: SessionStore, id: string): Promise<SessionRecord> {
  const exact = id === '' ? undefined : await store.get(id);
  if (exact) return exact;
  const found: SessionRecord[] = [];
  for await (const record of allSessions(store)) {
    // A session comes before those of its subagents, whose ids begin with its own.
    const isBelow = found.some((one) => record.id.startsWith(`${one.id}/`));
    if (id !== '' && record.id.startsWith(id) && !isBelow) found.push(record);
  }
  const [only, ...others] = found;
  if (!only)
    throw new ToolfoldError(
      'session-unknown',
      `There is no session "${id}" in ${store.name}.`,
      'List the sessions: toolfold sessions ls --all.',
    );
  if (others.length === 0) return only;
  const named = found.slice(0, MOST_NAMED).map((record) => record.id);
  const rest = found.length > named.length ? `, and ${found.length - named.length} more` : '';
  throw usageError(
    `The ids of ${found.length} sessions begin with "${id}": ${named.join(', ')}${rest}.`,
    'Give more characters of the id.',
  );
}

/** All sessions of a store, or those below one; each before those of its subagents. */
export async function* allSessions(
  store: SessionStore,
  parent?: string,
): AsyncGenerator<SessionRecord, void> {
  for (const record of await store.list(parent === undefined ? {} : { parent })) {
    yield record;
    yield* allSessions(store, record.id);
  }
}
