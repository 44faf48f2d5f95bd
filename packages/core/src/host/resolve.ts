import type { ParsedCall, RouteOptions, ToolRequest } from '../calls/index.ts';
import type { ResolvedTool } from '../registry/index.ts';
import type { ToolEntry } from '../tool/index.ts';
import { withBigints, withMarks } from '../values/index.ts';
import type { Hooks } from './hooks.ts';
import { callAgain, namesTwoTools, notActive, type Refusal } from './refusal.ts';

/** A resolved call: the tool that it means, and the input that this tool would get. */
export interface ResolvedCall {
  readonly kind: 'resolved';
  readonly id: string;
  /** The canonical name of the tool. */
  readonly name: string;
  /**
   * The arguments as the model meant them, after the repairs. This is JSON, for messages:
   * `{ "toolfold_integer": digits }` is an integer that no number holds.
   */
  readonly input: unknown;
  /** What was repaired in them, for people. */
  readonly repairs?: readonly string[];
  /**
   * The input that the tool would get, after its schema is applied (if the schema is known). Integers that no number
   * holds are bigints: hooks, permits and approvals see the number that runs.
   */
  readonly final: unknown;
  /** Undefined for a tool that the layer does not run, and for a tool that has not loaded. */
  readonly tool: ResolvedTool | undefined;
  /** The tool's entry in the layer; undefined for tools that the layer does not have. */
  readonly entry: ToolEntry | undefined;
  /** The group of the tool has not loaded, and must not load before an earlier call has run. */
  readonly isLate: boolean;
  /** The host runs the tool itself: Toolfold can neither stop the call nor change its arguments. */
  readonly isForeign: boolean;
}

/** A call under the tool's own name, or a call whose envelope has been read. */
type CallOf = Parameters<ToolRequest['decide']>[0];

/** Resolves a call and loads its group. Returns a refusal if the call has no tool or invalid input. */
export async function resolveNow(
  turn: ToolRequest,
  call: CallOf,
  options: RouteOptions = {},
): Promise<ResolvedCall | Refusal> {
  const route = await turn.decide(call, options);
  if (route.kind === 'answer') return route;
  const { tool, input, entry, repairs, arguments: final } = route;
  const repaired = repairs ? { repairs } : {};
  const known = { tool, entry, isLate: false, isForeign: false, ...repaired };
  return { kind: 'resolved', id: call.id, name: tool.name, input, final, ...known };
}

/** A call whose group has not loaded, with the arguments as the model wrote them. */
export function lateCall(
  id: string,
  name: string,
  input: unknown,
  entry?: ToolEntry,
): ResolvedCall {
  const written = withMarks(input);
  return { ...plainCall(id, name, written, entry), final: withBigints(written), isLate: true };
}

/** A call whose tool gets the input unchanged. No `entry`: the layer does not have the tool. */
export function plainCall(
  id: string,
  name: string,
  input: unknown,
  entry?: ToolEntry,
): ResolvedCall {
  const nothing = { tool: undefined, isLate: false, isForeign: false };
  return { kind: 'resolved', id, name, input, final: input, entry, ...nothing };
}

/** One request of the host, as far as it concerns the calls that answer it. */
export interface Step {
  readonly turn: ToolRequest;
  readonly signal: AbortSignal | undefined;
  /** The names of the tools that the host offers in this request. */
  readonly offered: Pick<ReadonlySet<string>, 'has'>;
  /** Whether the host knew the name when the step began, offered or not. */
  readonly isKnown: (name: string) => boolean;
  /** Whether the user can be asked about a call of the tool. */
  readonly canAsk: (call: ResolvedCall) => boolean;
}

/** How a call of the model is resolved. */
interface ResolveOptions {
  readonly hooks: Hooks;
  /** The first call of a response: its loader runs ahead of no other call. */
  readonly isFirst: boolean;
  /** The name under which the stream of the call has begun. */
  readonly announced: string | undefined;
}

/** The call as it was read, under the name that a hook gave it, and what it means. */
interface Resolution {
  readonly read: ParsedCall;
  readonly found: ResolvedCall | Refusal;
}

/**
 * Finds the tool that a call of the model means, if it may be called in this step. If no tool has the
 * name, the `resolveToolCall` hooks may give another one. A later call whose group has not loaded is
 * late: its loader must not run before an earlier call.
 */
export async function resolveCall(
  step: Step,
  call: ParsedCall,
  options: ResolveOptions,
): Promise<Resolution> {
  const { turn, signal, offered, isKnown } = step;
  const { announced } = options;
  const target = call.envelope?.target;
  let read = call;
  let entry = target === undefined ? undefined : turn.lookUp(target);
  if (target !== undefined && !entry && turn.bridgeKind(target) === undefined) {
    const other = options.hooks.resolve(target);
    if (other.kind === 'invalid') return { read, found: other.refusal };
    if (other.kind === 'name') {
      read = renamed(turn, call, other.name);
      entry = turn.lookUp(other.name);
    }
  }
  // Checked before resolving, so that the answer does not reveal the schema of the tool.
  const isUsable = !entry || offered.has(entry.name);
  if (entry && !isUsable && isKnown(entry.name)) return { read, found: notActive(entry.name) };
  const late = options.isFirst || !isUsable ? undefined : laterCall(turn, read, entry, announced);
  if (late) return { read, found: late };
  const known = entry ? { ...read, entry } : read;
  const found = await resolveNow(turn, known, signal ? { signal } : {});
  if (found.kind === 'answer') return { read, found };
  const { name } = found;
  if (announced !== undefined && announced !== name)
    return { read, found: namesTwoTools(announced) };
  if (offered.has(name)) return { read, found };
  return { read, found: isKnown(name) ? notActive(name) : callAgain(name) };
}

/** The call under the name that a hook gave it. */
function renamed(turn: ToolRequest, call: ParsedCall, name: string): ParsedCall {
  const { envelope, kind } = call;
  if (!envelope || kind === undefined) return turn.read({ ...call, name });
  return { ...call, envelope: { ...envelope, target: name } };
}

/** A later call whose group has not loaded; undefined if the call needs the schema now. */
function laterCall(
  turn: ToolRequest,
  { id, envelope }: ParsedCall,
  entry: ToolEntry | undefined,
  announced: string | undefined,
): ResolvedCall | undefined {
  // A call that can be read in two ways needs the schema.
  if (!envelope || envelope.problem !== undefined || envelope.target === undefined) return;
  const { given, beside, target } = envelope;
  if (given.kind === 'unusable' || Object.keys(beside).length > 0) return;
  const input = given.kind === 'object' ? given.value : {};
  const name = entry?.name ?? target;
  const isLate = entry ? !turn.isReady(entry) : turn.mayAppear(target);
  const isAnnounced = entry ? [undefined, name].includes(announced) : announced === undefined;
  return isLate && isAnnounced ? lateCall(id, name, input, entry) : undefined;
}
