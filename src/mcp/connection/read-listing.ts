import { formatNumber, type JsonObject, truncate } from '../../tools/values/index.ts';
import type { Client } from '../transport/index.ts';
import { listTools, type ServerListing } from './listing.ts';

/** Maximum characters of a server's instructions. Real ones have a few thousand. */
const MAX_INSTRUCTIONS = 100_000;

/** Limits of a request. */
interface RequestLimits {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

/**
 * Reads what a connected server says of itself, and all its tools. Rejects if the list cannot be
 * read. `hide` removes secrets from warnings, because warnings contain tool names, which are the
 * server's text.
 */
export async function readListing(
  client: Client,
  limits: RequestLimits,
  hide?: (text: string) => string,
): Promise<ServerListing> {
  const capabilities = client.getServerCapabilities();
  const { tools, duplicates, warnings } =
    capabilities?.tools === undefined
      ? { tools: [], duplicates: [], warnings: [] }
      : await listTools((cursor) => client.listTools({ cursor }, limits), hide);
  const serverInfo: object | undefined = client.getServerVersion();
  const instructions = client.getInstructions();
  const isLong = instructions !== undefined && instructions.length > MAX_INSTRUCTIONS;
  const cutWarning = `its instructions have more than ${formatNumber(MAX_INSTRUCTIONS)} characters and were cut`;
  return {
    protocolVersion: client.getNegotiatedProtocolVersion(),
    serverInfo: serverInfo && ({ ...serverInfo } as JsonObject),
    capabilities: capabilities && ({ ...capabilities } as JsonObject),
    instructions: isLong ? truncate(instructions, MAX_INSTRUCTIONS) : instructions,
    tools,
    duplicates,
    warnings: isLong ? [...warnings, cutWarning] : warnings,
  };
}
