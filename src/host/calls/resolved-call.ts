import type { RouteOptions, Turn } from '../../tools/calls/index.ts';
import type { ResolvedTool } from '../../tools/registry/index.ts';
import type { Entry } from '../../tools/tool/index.ts';
import type { Refusal } from './refusal.ts';

/** A resolved call: the tool that it means, and the input that this tool would get. */
export interface ResolvedCall {
  readonly kind: 'resolved';
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
type CallOf = Parameters<Turn['decide']>[0];

/** Resolves a call and loads its group. Returns a refusal if the call has no tool or invalid input. */
export async function resolveNow(
  turn: Turn,
  call: CallOf,
  options: RouteOptions = {},
): Promise<ResolvedCall | Refusal> {
  const route = await turn.decide(call, options);
  if (route.kind === 'answer') return route;
  const { tool, input, entry, arguments: final } = route;
  const known = { tool, entry, isLate: false, isForeign: false };
  return { kind: 'resolved', id: call.id, name: tool.name, input, final, ...known };
}

/** A call whose group has not loaded, with the arguments as the model wrote them. */
export function lateCall(id: string, name: string, input: unknown, entry?: Entry): ResolvedCall {
  return { ...plainCall(id, name, input, entry), isLate: true };
}

/** A call whose tool gets the input unchanged. No `entry`: the layer does not have the tool. */
export function plainCall(id: string, name: string, input: unknown, entry?: Entry): ResolvedCall {
  const nothing = { tool: undefined, isLate: false, isForeign: false };
  return { kind: 'resolved', id, name, input, final: input, entry, ...nothing };
}
