import { cut, figure, type JsonObject } from '../../tools/values/index.ts';
import type { Client, Transport } from '../transport/index.ts';
import { listTools, type ServerListing } from './listing.ts';

/** Maximum characters of a server's instructions. Real ones have a few thousand. */
const MAX_INSTRUCTIONS = 100_000;

/** A schema that accepts every result unchanged. The SDK's own schemas drop unknown fields. */
export const asReceived: {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: unknown };
  };
} = {
  '~standard': { version: 1, vendor: 'toolfold', validate: (value) => ({ value }) },
};

/**
 * Connects the client and reads all tools of the server. Rejects if either fails. `hide` removes
 * secrets from warnings, because warnings contain tool names, which are the server's text.
 */
export async function initialize(
  client: Client,
  transport: Transport,
  options: { readonly signal: AbortSignal; readonly timeout: number },
  hide?: (text: string) => string,
): Promise<ServerListing> {
  await client.connect(transport, options);
  const capabilities = client.getServerCapabilities();
  const { tools, duplicates, warnings } =
    capabilities?.tools === undefined
      ? { tools: [], duplicates: [], warnings: [] }
      : await listTools(
          (method, params) => client.request({ method, params }, asReceived, options),
          hide,
        );
  const serverInfo: object | undefined = client.getServerVersion();
  const instructions = client.getInstructions();
  const isLong = instructions !== undefined && instructions.length > MAX_INSTRUCTIONS;
  const cutWarning = `its instructions have more than ${figure(MAX_INSTRUCTIONS)} characters and were cut`;
  return {
    protocolVersion: client.getNegotiatedProtocolVersion(),
    serverInfo: serverInfo && ({ ...serverInfo } as JsonObject),
    capabilities: capabilities && ({ ...capabilities } as JsonObject),
    instructions: isLong ? cut(instructions, MAX_INSTRUCTIONS) : instructions,
    tools,
    duplicates,
    warnings: isLong ? [...warnings, cutWarning] : warnings,
  };
}
