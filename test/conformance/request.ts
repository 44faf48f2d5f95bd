import { isRecord, ownProperty } from '../../packages/core/src/values/json.ts';

/** What the suite asks of the client in one scenario. */
export interface Request {
  readonly url: string;
  readonly scenario: string;
  /** Values that the scenario expects the client to know, for example a client id. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Calls that the scenario names. Empty if it names none. */
  readonly toolCalls: readonly { readonly name: string; readonly arguments: unknown }[];
}

/** Reads what the suite passes: the URL as the last argument, the rest in the environment. */
export function readRequest(args: readonly string[], env: NodeJS.ProcessEnv): Request {
  const url = args.at(-1);
  if (url === undefined) throw new Error('the last argument must be the URL of the server');
  const parsed: unknown = JSON.parse(env.MCP_CONFORMANCE_CONTEXT ?? '{}');
  const context = isRecord(parsed) ? parsed : {};
  const calls = ownProperty(context, 'toolCalls');
  return {
    url,
    scenario: env.MCP_CONFORMANCE_SCENARIO ?? '',
    context,
    toolCalls: (Array.isArray(calls) ? calls : []).map((call) => ({
      name: String(ownProperty(call, 'name')),
      arguments: ownProperty(call, 'arguments'),
    })),
  };
}
