import type { Client, PriorDiscovery } from '@modelcontextprotocol/client';
import { ownProperty } from '../../tools/values/index.ts';
import type { ServerEntry } from '../config/index.ts';
import type { Transport } from '../transport/index.ts';
import { createRelayClient, type Negotiation } from './relay-client.ts';

/** What an earlier connection found out about the server's revision, to skip the negotiation. */
export type KnownRevision = PriorDiscovery;

export interface NegotiationOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly known?: KnownRevision | undefined;
  /** Called with each new client before it connects. */
  readonly onClient: (client: Client) => void;
  readonly capabilities?: object | undefined;
}

/**
 * Connects a client to a server of any revision. Over HTTP an extra request detects 2026-07-28. Over
 * stdio this request would make some older servers end. There the older handshake comes first, and
 * the same process is asked for the newer revision if it answers the handshake with an error.
 */
export async function negotiate(
  kind: Exclude<ServerEntry['kind'], 'unusable'>,
  transport: Transport,
  options: NegotiationOptions,
): Promise<Client> {
  const { signal, timeout, known } = options;
  const connect = async (mode: Negotiation): Promise<Client> => {
    const client = await createRelayClient(mode, options.capabilities);
    options.onClient(client);
    await client.connect(transport, { signal, timeout, ...(known && { prior: known }) });
    return client;
  };
  if (kind === 'http') return connect('auto');
  if (kind !== 'stdio' || known !== undefined) return connect('legacy');
  const release = keepOpen(transport);
  try {
    return await connect('legacy');
  } catch (error) {
    // The SDK's own errors have texts as codes: the server did not answer, or its process ended.
    if (signal.aborted || typeof ownProperty(error, 'code') === 'string') throw error;
    transport.start = () => Promise.resolve();
    return await connect('auto');
  } finally {
    release();
  }
}

/** The transport stays open when a client closes it, and takes the handlers of the next client. */
function keepOpen(transport: Transport): () => void {
  const close = transport.close.bind(transport);
  transport.close = async () => {
    Object.assign(transport, { onmessage: undefined, onerror: undefined, onclose: undefined });
  };
  return () => {
    transport.close = close;
  };
}
