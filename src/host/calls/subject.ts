import type { Route, RouteOptions, Turn } from '../../tools/calls/index.ts';
import type { ResolvedTool } from '../../tools/registry/index.ts';
import type { Entry } from '../../tools/tool/index.ts';
import type { Refusal } from './answer.ts';

/** What a call comes to: the tool it means, and what that tool would get. */
export interface Subject {
  readonly id: string;
  /** The tool's canonical name. */
  readonly name: string;
  /** The arguments as the model meant them. */
  readonly input: unknown;
  /** What the tool would get: with its schema applied, where that is known. */
  readonly final: unknown;
  /** Undefined for a tool that the layer does not run, and for one that has not loaded. */
  readonly tool: ResolvedTool | undefined;
  /** The tool as the layer knows it; undefined for tools beside it. */
  readonly entry: Entry | undefined;
  /** Its group has not loaded, and must not load before an earlier call has run. */
  readonly isLate: boolean;
  /** It is run by the host itself: Toolfold can neither hold it nor put other arguments in. */
  readonly isForeign: boolean;
}

/** A call by its tool's own name, or one whose input has been read. */
export type CallOf = Parameters<Turn['decide']>[0];

/** The subject of a call, its group loaded; a refusal where it has none. */
export async function resolveNow(
  turn: Turn,
  call: CallOf,
  options: RouteOptions = {},
): Promise<Subject | Refusal> {
  const route: Route = await turn.decide(call, options);
  if (route.kind === 'answer') return route;
  const { tool, input } = route;
  const { id } = call;
  const entry = turn.lookUp(tool.name);
  const final = route.arguments;
  return { id, name: tool.name, input, final, tool, entry, isLate: false, isForeign: false };
}

/** The subject of a call whose group has not loaded: its arguments as the model wrote them. */
export function lateSubject(id: string, name: string, input: unknown, entry?: Entry): Subject {
  return { ...plainSubject(id, name, input, entry), isLate: true };
}

/** The subject of a call whose input is what the tool gets; without an entry, the layer knows no such tool. */
export function plainSubject(id: string, name: string, input: unknown, entry?: Entry): Subject {
  const nothing = { tool: undefined, isLate: false, isForeign: false };
  return { id, name, input, final: input, entry, ...nothing };
}

export function isRefusal(found: Subject | Refusal): found is Refusal {
  return 'kind' in found;
}
