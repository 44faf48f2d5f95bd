/** The ids of sessions as they are shown, with their titles. Where two begin alike, both are whole. */
export async function sessionWords(): Promise<readonly (readonly [id: string, title: string])[]> {
  const [{ knownSessions }, { shortId }, { sessionsFolder }] = await Promise.all([
    import('../../sessions/peek/index.ts'),
    import('../sessions/find-session.ts'),
    import('../sessions/folder.ts'),
  ]);
  const sessions = knownSessions(sessionsFolder());
  const counts = Map.groupBy(sessions, ({ id }) => shortId(id));
  return sessions.map(({ id, title }) => {
    const short = shortId(id);
    return [counts.get(short)?.length === 1 ? short : id, title ?? ''];
  });
}
