import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { isRecord } from '@toolfold/core/internal/values';
import { stateOf } from '../log/index.ts';
import type { UnknownCall } from '../options/index.ts';
import type { Session } from '../sessions/index.ts';
import type { ConversationState, OpenCall } from '../state/index.ts';
import { SUBAGENTS, type SubagentTask } from '../tasks/index.ts';

/** A conversation that is kept, whose subagents have sessions below its own. */
interface KeptParent {
  readonly state: ConversationState;
  readonly session: Pick<Session, 'id' | 'store'>;
}

/** What the session of a child says; undefined if the child has not begun. Rejects if it cannot be read. */
async function readChild(parent: KeptParent, child: string): Promise<KeptParent | undefined> {
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

/** Whether a call may run again without a question. */
type IsRepeatable = (name: string) => Promise<boolean>;

/**
 * The calls that had started, have no result and may not be repeated: of an agent, and of the subagents
 * of its open calls. Reads the sessions of subagents, and creates none.
 */
export async function unknownCalls(
  agent: KeptParent,
  isRepeatable: IsRepeatable,
): Promise<readonly UnknownCall[]> {
  const { state } = agent;
  const begun = state.open.filter(({ id }) => state.runs.has(id));
  const lists = begun.map(async (call): Promise<readonly UnknownCall[]> => {
    const { id, name, input } = call;
    if (!(await isRepeatable(name))) return [{ id, name, arguments: input }];
    return name === SUBAGENTS ? callsBelow(call, agent, isRepeatable) : [];
  });
  return (await Promise.all(lists)).flat();
}

/** A call of a subagent, as its parent names it. */
export function namedByParent<CALL extends UnknownCall>(
  { id, subagent, ...call }: CALL,
  { child, id: task }: Pick<SubagentTask, 'child' | 'id'>,
): Omit<CALL, 'id' | 'subagent'> & { readonly id: string; readonly subagent: string } {
  const path = subagent === undefined ? task : `${task}/${subagent}`;
  return { ...call, id: `${child}/${id}`, subagent: path };
}

async function callsBelow(
  { id: call, input }: OpenCall,
  agent: KeptParent,
  isRepeatable: IsRepeatable,
): Promise<readonly UnknownCall[]> {
  const names = Object.entries(agent.state.children.get(call) ?? {});
  const lists = names.map(async ([id, child]): Promise<readonly UnknownCall[]> => {
    try {
      const kept = await readChild(agent, child);
      if (!kept) return [];
      const calls = await unknownCalls(kept, isRepeatable);
      return calls.map((one) => namedByParent(one, { child, id }));
    } catch (error) {
      // Its calls are not known. What is unknown is the part of the call that started it.
      const given = isRecord(input) && Array.isArray(input.tasks) ? input.tasks : [];
      const tasks = given.filter((task) => isRecord(task) && task.id === id);
      return [{ id: child, name: SUBAGENTS, arguments: { tasks }, error: errorMessage(error) }];
    }
  });
  return (await Promise.all(lists)).flat();
}
