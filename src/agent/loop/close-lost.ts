import { viewOf } from '../../tools/registry/index.ts';
import { closings } from '../calls/index.ts';
import type { AgentContext } from '../context/index.ts';
import { openCalls } from '../state/index.ts';
import type { Turn } from './turn.ts';

/**
 * Closes an answer of an earlier process if a tool that had started for it is gone here, or not allowed. If
 * it were read again, the call would be refused, although it may have taken effect. Recorded results stay,
 * the user is asked about calls without one, and the other calls were not run.
 */
export async function closeLost(context: AgentContext, turn: Turn): Promise<void> {
  const { replay } = turn.recorder;
  const { log, calls, isReal } = context;
  const { runs } = log.state;
  if (!replay) return;
  const started = openCalls([{ role: 'assistant', content: replay.content }]).filter(({ id }) =>
    runs.has(id),
  );
  if (!started.some(({ name }) => isLost(context, name))) return;
  for (const { id, name, input } of started)
    await log.append(...(await calls.close({ id, name, input }, turn.signal)));
  await log.append(...closings(log.state, { isReal }));
  turn.recorder.replay = undefined;
}

function isLost({ options: { fold, role } }: AgentContext, name: string): boolean {
  const { layer, roles } = fold;
  if (layer.bindingOf(name) !== undefined)
    return !viewOf(roles, role).allows(layer.addressOf(name));
  // A group that names its tools when it loads may still have it.
  return !layer.known().unnamed.some(({ prefix }) => name.startsWith(prefix));
}
