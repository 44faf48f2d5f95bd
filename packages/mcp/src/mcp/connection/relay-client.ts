import type { Client } from '@modelcontextprotocol/client';
import { VERSION } from '@toolfold/core/internal/version.ts';
import { importSdk } from '../transport/index.ts';

/** A schema that accepts every result unchanged. The SDK's own schemas drop unknown fields. */
const asReceived = {
  '~standard': { version: 1, vendor: 'toolfold', validate: (value: unknown) => ({ value }) },
};

/** What a server is told of its client. */
export const CLIENT_INFO: { readonly name: string; readonly version: string } = {
  name: 'toolfold',
  version: VERSION,
};

/** How a client finds the protocol's revision. `legacy`: the handshake of 2025-11-25 and older. */
export type Negotiation = 'legacy' | 'auto' | { readonly pin: string };

/**
 * Creates a client of the SDK that lists tools with every field as received. The SDK leaves out tools with
 * invalid declarations of headers. Calls do not go through it (`Channel`). `probeTime`: milliseconds for the
 * request that detects 2026-07-28.
 */
export async function createRelayClient(
  mode: Negotiation,
  capabilities: object = {},
  probeTime?: number,
): Promise<Client> {
  const sdk = await importSdk();
  class RelayClient extends sdk.Client {
    override request(request: { method: string; params?: object }, ...rest: unknown[]): never {
      const send = super.request.bind(this) as unknown as (...parameters: unknown[]) => never;
      if (request.method !== 'tools/list') return send(request, ...rest);
      return send(asFirstPage(request), asReceived, rest.at(-1));
    }
  }
  return new RelayClient(CLIENT_INFO, {
    capabilities,
    versionNegotiation: { mode, ...(probeTime && { probe: { timeoutMs: probeTime } }) },
  });
}

/** The cursor that stands for the first page: the SDK reads single pages only with a cursor. It is never sent. */
export const FIRST_PAGE = '\0first';

function asFirstPage(request: { method: string; params?: object }): object {
  const { params } = request;
  if (params === undefined || !('cursor' in params) || params.cursor !== FIRST_PAGE) return request;
  const { cursor: _, ...others } = params;
  return { ...request, params: others };
}
