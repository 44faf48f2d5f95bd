import type { ResolvedTool } from '../registry/index.ts';
import type { Entry } from '../tool/index.ts';
import type { CallEvent, TranscriptCall } from '../transcript/index.ts';
import type { JsonObject } from '../values/index.ts';

interface Run {
  readonly kind: 'run';
  readonly tool: ResolvedTool;
  /**
   * The arguments after the tool's schema: a Standard Schema may have changed them. For a tool with `takesBigints`, an
   * integer that a number cannot hold is a bigint.
   */
  readonly arguments: unknown;
  /** The arguments that the model gave, after the repairs, as JSON: `{ "toolfold_integer": digits }` is a bigint. */
  readonly input: JsonObject;
  /** What was repaired in them, for people. Absent if nothing was. */
  readonly repairs?: readonly string[];
  /** Whether the model called the tool directly or through a bridge tool. */
  readonly via: 'native' | 'bridge';
}

/** An answer to the model in place of a result, or as the result. The model can correct errors. */
export interface Reply {
  readonly kind: 'answer';
  readonly result: JsonObject;
  readonly isError: boolean;
  /** The target of the call, if it is known. */
  readonly target?: string;
  /** The arguments that the model gave, if only the tool's schema refuses them. */
  readonly input?: JsonObject;
  /** The error behind the answer, if there is one: for the host, never for the model. */
  readonly cause?: unknown;
}

/** The decision on a call: run this tool with these arguments, or return this answer. */
export type Route = Run | Reply;

/** A route with the entry of the tool that runs. */
export type Decided = (Run & { readonly entry: Entry }) | (Reply & { readonly entry?: undefined });

export interface RouteOptions {
  readonly signal?: AbortSignal | undefined;
  /** `false` does not check the arguments against the tool's schema. For hosts whose tools check them. */
  readonly check?: boolean | undefined;
}

/** The event for a call: the name that the model used, and the decision. */
export function callEvent({ id, name: wireName }: TranscriptCall, route: Route): CallEvent {
  if (route.kind === 'run') {
    const repairs = route.repairs ? { repairs: route.repairs } : {};
    return { id, name: route.tool.name, wireName, outcome: 'run', ...repairs };
  }
  const { result, isError, target: name = wireName, cause } = route;
  if (!isError) return { id, name, wireName, outcome: 'answered' };
  const error = String(result.error);
  const why = cause === undefined ? {} : { cause };
  return { id, name, wireName, outcome: 'refused', error, ...why };
}
