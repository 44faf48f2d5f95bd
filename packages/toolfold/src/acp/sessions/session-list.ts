import { isAbsolute } from 'node:path';
import type { ListSessionsRequest, ListSessionsResponse } from '@agentclientprotocol/sdk';
import type { SessionRecord, SessionStore } from '@toolfold/agent/internal/sessions';
import { parsedJson } from '@toolfold/core/internal/tools/values';
import { realPath } from '../../app/files/index.ts';
import { titleOf } from '../../app/sessions/index.ts';
import { invalidParams } from '../refusals/index.ts';

/** Most sessions of one answer. */
const PAGE = 50;

/**
 * One page of the sessions in the store, the last changed first. Those without a folder are left out: the
 * protocol needs one. Throws an invalid parameter for a cursor that is not of this agent.
 */
export async function listSessions(
  store: SessionStore,
  { cwd, cursor }: ListSessionsRequest,
): Promise<ListSessionsResponse> {
  const all = await store.list(cwd ? { folder: realPath(cwd) } : {});
  const listed = all.filter(({ folder }) => folder !== undefined && isAbsolute(folder));
  const rest = cursor ? behind(listed, cursor) : listed;
  const page = rest.slice(0, PAGE);
  const sessions: ListSessionsResponse['sessions'] = [];
  for (const record of page) {
    const title = await titleOf(store, record);
    sessions.push({
      sessionId: record.id,
      cwd: record.folder ?? '',
      updatedAt: new Date(record.changedAt).toISOString(),
      ...(title === '' ? {} : { title }),
    });
  }
  const last = page.at(-1);
  return last && rest.length > page.length
    ? { sessions, nextCursor: cursorOf(last) }
    : { sessions };
}

/** When the last session of a page was changed, and its id. */
function cursorOf({ changedAt, id }: SessionRecord): string {
  return Buffer.from(JSON.stringify([changedAt, id])).toString('base64url');
}

/** The sessions behind a page. If its last one was changed or removed since, those that were changed before it. */
function behind(listed: readonly SessionRecord[], cursor: string): readonly SessionRecord[] {
  const [changedAt, id] = [parsedJson(Buffer.from(cursor, 'base64url').toString())].flat();
  if (typeof changedAt !== 'number' || typeof id !== 'string')
    throw invalidParams(
      'The cursor is not one of this agent. Leave it out to begin with the first page.',
    );
  const at = listed.findIndex((record) => record.id === id && record.changedAt === changedAt);
  return at >= 0 ? listed.slice(at + 1) : listed.filter((record) => record.changedAt < changedAt);
}
