import { ToolfoldError } from '../../errors.ts';
import type { Session } from '../../sessions/index.ts';
import { stateOf } from '../log/index.ts';
import type { ConversationState } from '../state/index.ts';

/** A conversation that is kept, whose subagents have sessions below its own. */
export interface KeptParent {
  readonly state: ConversationState;
  readonly session: Pick<Session, 'id' | 'store'>;
}

/** What the session of a child says; undefined if the child has not begun. Rejects if it cannot be read. */
export async function readChild(
  parent: KeptParent,
  child: string,
): Promise<KeptParent | undefined> {
  if (!(await isKept(parent, child))) return;
  const { store } = parent.session;
  const id = idOf(parent, child);
  return { state: stateOf(await store.read(id)), session: { id, store } };
}

/**
 * Whether a child has a session, which it has once it has begun. Rejects if it has none although it has worked: what
 * it did could happen again.
 */
export async function isKept(parent: KeptParent, child: string): Promise<boolean> {
  const id = idOf(parent, child);
  if (await parent.session.store.get(id)) return true;
  // Its parent keeps what it has paid for.
  if (!parent.state.paid.has(child)) return false;
  throw new ToolfoldError(
    'session-unknown',
    `The session "${id}" of a subagent is missing. The subagent has worked, and nobody knows what it did.`,
    'It does not begin again. Give the task to a new subagent.',
  );
}

function idOf({ session }: KeptParent, child: string): string {
  return `${session.id}/${child}`;
}
