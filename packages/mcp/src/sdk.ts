import { ToolfoldError } from '@toolfold/core/internal/errors.ts';

export type { Client, FetchLike, JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

/** Imports the MCP SDK's client, an optional peer dependency. Throws `missing-dependency` if it is not installed. */
export async function importSdk(): Promise<typeof import('@modelcontextprotocol/client')> {
  return import('@modelcontextprotocol/client').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const message = 'Connecting to MCP servers needs the package @modelcontextprotocol/client.';
    const hint = 'Install it: npm install @modelcontextprotocol/client';
    throw new ToolfoldError('missing-dependency', message, hint, error);
  });
}

/** An error as the SDK's for a lost connection. `NOT_CONNECTED`: it was lost before the message was sent. */
export function lostConnection(
  message: string,
  code: 'CONNECTION_CLOSED' | 'NOT_CONNECTED' = 'CONNECTION_CLOSED',
): Error {
  return Object.assign(new Error(message), { code });
}
