import type { ReadCall, Turn } from '../../tools/calls/index.ts';
import {
  callAgain,
  isRefusal,
  lateCall,
  namesTwoTools,
  notActive,
  type Refusal,
  resolveNow,
  type Subject,
} from '../calls/index.ts';
import type { Hooks } from '../hooks/index.ts';

/** One request of the host, as far as it concerns the calls that answer it. */
export interface Step {
  readonly turn: Turn;
  readonly signal: AbortSignal | undefined;
  /** Whether the host offers the tool in this request. */
  readonly isOffered: (name: string) => boolean;
  /** Whether the host knew the name when the step began, offered or not. */
  readonly isKnown: (name: string) => boolean;
  /** Whether the user can be asked about a call of the tool. */
  readonly canAsk: (subject: Subject) => boolean;
}

/** Applies the `resolveToolCall` hooks if no tool has the name of the call. */
export function named(
  hooks: Hooks,
  { turn }: Step,
  read: ReadCall,
): { read: ReadCall; refusal?: Refusal } {
  const { envelope, kind } = read;
  const target = envelope?.target;
  if (!envelope || target === undefined) return { read };
  if (turn.lookUp(target) || turn.bridgeKind(target) !== undefined) return { read };
  const resolved = hooks.resolve(target);
  if (resolved.kind === 'invalid') return { read, refusal: resolved.refusal };
  if (resolved.kind === 'none') return { read };
  const { name } = resolved;
  if (kind === undefined) return { read: turn.read({ ...read, name }) };
  return { read: { ...read, envelope: { ...envelope, target: name } } };
}

/**
 * Finds the tool that a call of the model means, if it may be called in this step. `announced`: the name
 * under which the stream of the call has begun. A later call whose group has not loaded is late: its
 * loader must not run before an earlier call.
 */
export async function resolveCall(
  { turn, signal, isOffered, isKnown }: Step,
  read: ReadCall,
  isFirst: boolean,
  announced: string | undefined,
): Promise<Subject | Refusal> {
  const target = read.envelope?.target;
  const entry = target === undefined ? undefined : turn.lookUp(target);
  // Checked before resolving, so that the answer does not reveal the schema of the tool.
  if (entry && isKnown(entry.name) && !isOffered(entry.name)) return notActive(entry.name);
  const isUsable = !entry || isOffered(entry.name);
  const late = isFirst || !isUsable ? undefined : lateCall(turn, read, entry, announced);
  if (late) return late;
  const known = entry ? { ...read, entry } : read;
  const found = await resolveNow(turn, known, signal ? { signal } : {});
  if (isRefusal(found)) return found;
  const { name } = found;
  if (announced !== undefined && announced !== name) return namesTwoTools(announced);
  if (isOffered(name)) return found;
  return isKnown(name) ? notActive(name) : callAgain(name);
}
