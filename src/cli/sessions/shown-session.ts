import { type SessionState, sessionState } from '../../app/sessions/index.ts';
import { readTranscript, type Transcript } from '../../app/transcript/index.ts';
import type { SessionRecord, SessionStore } from '../../sessions/index.ts';

/** The output of `toolfold sessions show --json`. */
export interface ShownSession extends Omit<Transcript, 'messages'> {
  readonly session: SessionRecord;
  readonly state: SessionState;
  /** Ids of the sessions of its subagents, and of its forks. */
  readonly children: readonly string[];
  readonly forks: readonly string[];
}

export async function shownSession(
  store: SessionStore,
  session: SessionRecord,
): Promise<ShownSession> {
  const { messages: _, ...transcript } = readTranscript(await store.read(session.id));
  const state = sessionState(transcript, await store.holder(session.id));
  const children = await store.list({ parent: session.id });
  const forks = (await store.list()).filter(({ forkOf }) => forkOf === session.id);
  return {
    ...{ session, state, ...transcript },
    children: children.toReversed().map(({ id }) => id),
    forks: forks.map(({ id }) => id),
  };
}
