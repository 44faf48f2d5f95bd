import { isAbsolute } from 'node:path';
import type { ListSessionsRequest, ListSessionsResponse } from '@agentclientprotocol/sdk';
import { titleOf } from '../../app/sessions/index.ts';
import type { SessionRecord, SessionStore } from '../../sessions/index.ts';
import { parsedJson } from '../../tools/values/index.ts';
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
  const all = await store.list(cwd ? { folder: cwd } : {});
  const listed = all.filter(({ folder }) => folder !== undefined && isAbsolute(folder));
  const rest = cursor ? listed.filter(isBehind(placeIn(cursor))) : listed;
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

/** A place in the list: when the session before it was changed, and its id. */
type Place = readonly [changedAt: number, id: string];

function cursorOf({ changedAt, id }: SessionRecord): string {
  return Buffer.from(JSON.stringify([changedAt, id])).toString('base64url');
}

function placeIn(cursor: string): Place {
  const place = parsedJson(Buffer.from(cursor, 'base64url').toString());
  if (Array.isArray(place) && typeof place[0] === 'number' && typeof place[1] === 'string')
    return [place[0], place[1]];
  throw invalidParams(
    'The cursor is not one of this agent. Leave it out to begin with the first page.',
  );
}

/** Sessions of one time stand together. Those before the place were sent already. */
function isBehind([changedAt, id]: Place): (record: SessionRecord) => boolean {
  let isReached = false;
  return (record) => {
    if (isReached || record.changedAt < changedAt) return true;
    isReached = record.id === id;
    return false;
  };
}
