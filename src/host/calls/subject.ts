import type { ReadCall, RouteOptions, Turn } from '../../tools/calls/index.ts';
import type { ResolvedTool } from '../../tools/registry/index.ts';
import type { Entry } from '../../tools/tool/index.ts';
import type { Refusal } from './answer.ts';

/** A resolved call: the tool that it means, and the input that this tool would get. */
export interface Subject {
  readonly id: string;
  /** The canonical name of the tool. */
  readonly name: string;
  /** The arguments as the model meant them. */
  readonly input: unknown;
  /** The input that the tool would get, after its schema is applied (if the schema is known). */
  readonly final: unknown;
  /** Undefined for a tool that the layer does not run, and for a tool that has not loaded. */
  readonly tool: ResolvedTool | undefined;
  /** The tool's entry in the layer; undefined for tools that the layer does not have. */
  readonly entry: Entry | undefined;
  /** The group of the tool has not loaded, and must not load before an earlier call has run. */
  readonly isLate: boolean;
  /** The host runs the tool itself: Toolfold can neither stop the call nor change its arguments. */
  readonly isForeign: boolean;
}

/** A call under the tool's own name, or a call whose envelope has been read. */
export type CallOf = Parameters<Turn['decide']>[0];

/** Resolves a call and loads its group. Returns a refusal if the call has no tool or invalid input. */
export async function resolveNow(
  turn: Turn,
  call: CallOf,
  options: RouteOptions = {},
): Promise<Subject | Refusal> {
  const route = await turn.decide(call, options);
  if (route.kind === 'answer') return route;
  const { tool, input, entry, arguments: final } = route;
  const { name } = tool;
  return { id: call.id, name, input, final, tool, entry, isLate: false, isForeign: false };
}

/** The subject of a call whose group has not loaded, with the arguments as the model wrote them. */
export function lateSubject(id: string, name: string, input: unknown, entry?: Entry): Subject {
  return { ...plainSubject(id, name, input, entry), isLate: true };
}

/** The subject of a call whose tool gets the input unchanged. No `entry`: the layer does not have the tool. */
export function plainSubject(id: string, name: string, input: unknown, entry?: Entry): Subject {
  const nothing = { tool: undefined, isLate: false, isForeign: false };
  return { id, name, input, final: input, entry, ...nothing };
}

export function isRefusal(found: Subject | Refusal): found is Refusal {
  return 'kind' in found;
}

/** The subject of a later call whose group has not loaded; undefined if the call needs the schema now. */
export function lateCall(
  turn: Turn,
  { id, envelope }: ReadCall,
  entry: Entry | undefined,
  announced: string | undefined,
): Subject | undefined {
  // A call that can be read in two ways needs the schema.
  if (!envelope || envelope.problem !== undefined || envelope.target === undefined) return;
  const { given, beside, target } = envelope;
  if (given.kind === 'unusable' || Object.keys(beside).length > 0) return;
  const input = given.kind === 'object' ? given.value : {};
  const name = entry?.name ?? target;
  const isLate = entry ? !turn.isReady(entry) : turn.mayAppear(target);
  const isAnnounced = entry ? [undefined, name].includes(announced) : announced === undefined;
  return isLate && isAnnounced ? lateSubject(id, name, input, entry) : undefined;
}
