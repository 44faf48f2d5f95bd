import type { ResolvedTool } from '../registry/index.ts';
import type { CallEvent, TranscriptCall } from '../transcript/index.ts';
import type { JsonObject } from '../values/index.ts';

/** What a call comes to: run this tool with these arguments, or answer this. */
export type Route =
  | {
      readonly kind: 'run';
      readonly tool: ResolvedTool;
      /** As the tool's schema reads them: a Standard Schema may have changed them. */
      readonly arguments: unknown;
      /** As the model meant them. */
      readonly input: JsonObject;
      /** Whether the model called the tool itself or through a bridge tool. */
      readonly via: 'native' | 'bridge';
    }
  | {
      readonly kind: 'answer';
      readonly result: JsonObject;
      readonly isError: boolean;
      /** The tool the call was meant for, where that is known. */
      readonly target?: string;
      /** The arguments the model meant, where only the tool's schema objects to them. */
      readonly input?: JsonObject;
      /** What was thrown, where that is why: for the host, never for the model. */
      readonly cause?: unknown;
    };

export interface RouteOptions {
  readonly signal?: AbortSignal;
}

/** The event of a call by the name the model used, and of what became of it. */
export function callEvent({ id, name: wireName }: TranscriptCall, route: Route): CallEvent {
  if (route.kind === 'run') return { id, name: route.tool.name, wireName, outcome: 'run' };
  const { result, isError, target: name = wireName, cause } = route;
  if (!isError) return { id, name, wireName, outcome: 'answered' };
  const error = String(result.error);
  const why = cause === undefined ? {} : { cause };
  return { id, name, wireName, outcome: 'refused', error, ...why };
}
