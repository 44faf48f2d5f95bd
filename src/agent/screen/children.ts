import { ownProperty } from '../../tools/values/index.ts';
import type { AgentEvent } from '../events/index.ts';
import { running } from './calls.ts';
import type { ScreenCall, ScreenChild, ScreenTurn } from './view.ts';

type OfChild = Extract<AgentEvent, { type: 'subagent' | 'subagent-end' }>;

/** Whether the call is the one that started the child of this event. */
export function isParent(one: ScreenCall, { call, child, task }: OfChild): boolean {
  if (call !== undefined) return one.id === call;
  return one.children.some((known) => known.child === child) || orderOf(one, task) >= 0;
}

/** Takes an event into the turns of a screen. */
type Advance = (turns: ScreenTurn[], event: AgentEvent) => void;

/** The call with the child after its event. */
export function withChild(call: ScreenCall, event: OfChild, advance: Advance): ScreenCall {
  const { child, task } = event;
  const known = call.children.find((one) => one.child === child);
  const before: ScreenChild = known ?? { child, task, status: 'running', turns: [] };
  const others = call.children.filter((one) => one !== known);
  const after = changed(before, event, advance);
  const children = [...others, after].sort(
    (a, b) => orderOf(call, a.task) - orderOf(call, b.task) || (a.child < b.child ? -1 : 1),
  );
  return running({ ...call, children }, {});
}

function changed(child: ScreenChild, event: OfChild, advance: Advance): ScreenChild {
  if (event.type === 'subagent') {
    const turns = [...child.turns];
    advance(turns, event.event);
    return { ...child, turns };
  }
  const { status, error, spent } = event;
  return { ...child, status, ...(error === undefined ? {} : { error }), spent };
}

/** The place of a task in the arguments of the call; -1 if it is not there. */
function orderOf({ arguments: given }: ScreenCall, task: string): number {
  const tasks = ownProperty(given, 'tasks');
  return Array.isArray(tasks) ? tasks.findIndex((one) => ownProperty(one, 'id') === task) : -1;
}
