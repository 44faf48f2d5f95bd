import { viewOf } from '../../tools/registry/index.ts';
import { openCalls } from '../conversation/index.ts';
import type { AgentEvent } from '../events/index.ts';
import type { Turn } from '../turn/index.ts';
import type { AgentState } from './agent-state.ts';
import type { AgentContext } from './turn-settings.ts';

/**
 * Closes an answer of an earlier process if a tool that had started for it is gone here, or not allowed. If
 * it were read again, the call would be refused, although it may have taken effect. Recorded results stay,
 * the user is asked about calls without one, and the other calls were not run.
 */
export async function* closeLost(
  { context, state }: { readonly context: AgentContext; readonly state: AgentState },
  turn: Turn,
): AsyncGenerator<AgentEvent, undefined> {
  const { replay } = turn;
  const { runs } = state.journal.state;
  if (!replay) return;
  const open = openCalls([{ role: 'assistant', content: replay.content }]);
  const started = open.filter(({ id }) => runs.has(id));
  if (!started.some(({ name }) => isLost(context, name))) return;
  const unknown = started.filter(({ id }) => !runs.get(id)?.outcome);
  for (const { id, name, input } of unknown) {
    await context.calls.close({ id, name, input });
    const { error } = runs.get(id)?.outcome ?? {};
    if (error !== undefined) yield { type: 'failure', id, name, error };
  }
  turn.replay = undefined;
  turn.begin([...state.closed()]);
}

function isLost({ options: { fold, role } }: AgentContext, name: string): boolean {
  const { layer, roles } = fold;
  if (layer.bindingOf(name) !== undefined)
    return !viewOf(roles, role).allows(layer.addressOf(name));
  // A group that names its tools when it loads may still have it.
  return !layer.known().unnamed.some(({ prefix }) => name.startsWith(prefix));
}
