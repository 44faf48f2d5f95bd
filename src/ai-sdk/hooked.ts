import { cut, sentence } from '../tools/plain-text.ts';
import type { Route, Turn } from '../tools/turn.ts';
import type { CallMemory } from './call-memory.ts';
import type { Hooks } from './hooks.ts';

interface HookedOptions {
  readonly turn: Turn;
  readonly hooks: Hooks;
  readonly memory: CallMemory;
  readonly signal?: AbortSignal | undefined;
}

/** What the app's hooks make of a call that may run: new arguments are judged like the model's own. */
export async function hooked(route: Route, id: string, options: HookedOptions): Promise<Route> {
  const { turn, hooks, memory, signal } = options;
  if (route.kind !== 'run' || !hooks.judges) return route;
  const { name } = route.tool;
  const verdict = await hooks.before({ id, name, arguments: route.input });
  if (verdict.deny !== undefined) return deniedBy(name, verdict.deny);
  const input = verdict.arguments ?? route.input;
  if (verdict.ask === true) memory.ask({ id, name, input });
  if (verdict.arguments === undefined) return route;
  return turn.decide({ id, name, input }, signal ? { signal } : {});
}

/** What the model reads of a call that a hook denied. */
export function deniedBy(name: string, reason: string): Extract<Route, { kind: 'answer' }> {
  const tool = cut(name, 80);
  const message = `${sentence(cut(reason, 400))} The tool was not run.`;
  return {
    kind: 'answer',
    isError: true,
    target: name,
    result: { error: 'denied', tool, message },
  };
}
