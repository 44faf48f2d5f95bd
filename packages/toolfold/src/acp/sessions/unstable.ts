import type { McpServer } from '@agentclientprotocol/sdk';
import * as z from '@toolfold/config/internal/config/schemas';
import { invalidParams } from '../refusals/index.ts';

/** Methods that version 1 of the protocol has as unstable. The stable SDK knows neither them nor their parameters. */
export const UNSTABLE = { fork: 'session/fork', setTitle: 'session/set_title' } as const;

/** What says that they are offered. */
export const UNSTABLE_CAPABILITIES: { readonly fork: object; readonly title: object } = {
  fork: {},
  title: {},
};

/** A session that begins like another one. */
export interface ForkRequest {
  readonly sessionId: string;
  readonly cwd: string;
  readonly mcpServers?: McpServer[] | undefined;
}

const NAMED = z.array(z.object({ name: z.string(), value: z.string() }));
const SERVER = z.union([
  z.object({ type: z.enum(['http', 'sse']), name: z.string(), url: z.string(), headers: NAMED }),
  z.object({ name: z.string(), command: z.string(), args: z.array(z.string()), env: NAMED }),
]);

/** The parameters of `session/fork`. Throws an invalid parameter. */
export const forkRequest: (params: unknown) => ForkRequest = parser(
  z.object({
    ...{ sessionId: z.string(), cwd: z.string() },
    mcpServers: z.optional(z.array(SERVER)),
  }),
  'Expected: "sessionId", "cwd" and the servers of the editor, "mcpServers".',
);

/** The parameters of `session/set_title`. Throws an invalid parameter. */
export const titleRequest: (params: unknown) => {
  readonly sessionId: string;
  readonly title: string;
} = parser(
  z.object({ sessionId: z.string(), title: z.string() }),
  'Expected: "sessionId" and a "title", which is a text.',
);

function parser<T>(schema: z.ZodMiniType<T>, expected: string): (params: unknown) => T {
  return (params) => {
    const { success, data } = schema.safeParse(params);
    if (success) return data;
    throw invalidParams(expected);
  };
}
