import { knownSessions } from '../../sessions/peek/index.ts';
import { shortId } from '../sessions/find-session.ts';
import { sessionsFolder } from '../sessions/folder.ts';

/** The ids of sessions as they are shown, with their titles. Where two begin alike, both are whole. */
export function sessionWords(): readonly (readonly [id: string, title: string])[] {
  const sessions = knownSessions(sessionsFolder());
  const counts = Map.groupBy(sessions, ({ id }) => shortId(id));
  return sessions.map(({ id, title }) => {
    const short = shortId(id);
    return [counts.get(short)?.length === 1 ? short : id, title ?? ''];
  });
}
