import type { Client, PriorDiscovery } from '@modelcontextprotocol/client';
import { ownProperty } from '@toolfold/core/internal/values';
import { VERSION } from '@toolfold/core/internal/version.ts';
import type { Protocol, UsableEntry } from '../config/index.ts';
import { importSdk, type Transport } from '../sdk.ts';
import type { OpenTransport } from '../transport/index.ts';

/** What an earlier connection found out about the server's revision, to skip the negotiation. */
export type KnownRevision = PriorDiscovery;

interface NegotiationOptions {
  readonly signal: AbortSignal;
  /** Milliseconds for the whole start. */
  readonly timeout: number;
  readonly known?: KnownRevision | undefined;
  /** Opens a transport in place of the last one. `sse`: the transport of 2024. */
  readonly open: (kind?: 'sse') => Promise<OpenTransport>;
  /** Called with each new client before it connects. */
  readonly onClient: (client: Client) => void;
  /** Called when another way is tried, with the error of the first way. */
  readonly onFailed: (error: unknown) => void;
  readonly capabilities?: object | undefined;
}

/** A connected client. */
export interface Negotiated {
  readonly client: Client;
  readonly opened: OpenTransport;
  /** What the next connection may rely on. */
  readonly known: KnownRevision | undefined;
}

/** Maximum milliseconds for the request that detects 2026-07-28 over HTTP. */
const PROBE_TIME = 5000;

/** Statuses by which a server of an older revision refuses what it does not know. */
const NOT_KNOWN: ReadonlySet<number | undefined> = new Set([400, 404, 405]);

/**
 * Connects a client to a server of any revision. Over HTTP an extra request detects 2026-07-28. Over
 * stdio this request would make some older servers end. There the older handshake comes first, and
 * the same process is asked for the newer revision if it answers the handshake with an error.
 */
export async function negotiate(
  entry: UsableEntry,
  options: NegotiationOptions,
): Promise<Negotiated> {
  const protocol = entry.lifecycle?.protocol ?? 'auto';
  const known = knownFor(protocol, options.known);
  const start = { ...options, known };
  if (entry.kind === 'http') return negotiateHttp(protocol, start);
  const opened = await options.open();
  if (entry.kind !== 'stdio' || known !== undefined) return connect('legacy', opened, start);
  if (protocol === '2026-07-28') return connect({ pin: protocol }, opened, start);
  return negotiateStdio(protocol, start, opened);
}

/** What was found out earlier, if the entry does not say otherwise. */
function knownFor(protocol: Protocol, known: KnownRevision | undefined): KnownRevision | undefined {
  if (protocol === 'auto') return known;
  return known?.kind === (protocol === 'legacy' ? 'legacy' : 'modern') ? known : undefined;
}

async function connect(
  mode: Negotiation,
  opened: OpenTransport,
  { signal, timeout, known, capabilities, onClient }: NegotiationOptions,
): Promise<Negotiated> {
  const client = await createRelayClient(mode, capabilities, Math.min(PROBE_TIME, timeout / 3));
  onClient(client);
  await client.connect(opened.transport, { signal, timeout, ...(known && { prior: known }) });
  return { client, opened, known: found(client, opened, known) };
}

/** The revision, where the server itself showed it. A failing or silent server shows nothing. */
function found(
  client: Client,
  { handshake, watch }: OpenTransport,
  known: KnownRevision | undefined,
): KnownRevision | undefined {
  const discover = client.getDiscoverResult();
  if (discover) return { kind: 'modern', discover };
  const { status } = handshake?.get('server/discover') ?? {};
  const isShown = NOT_KNOWN.has(status) || watch.requests.hasAnswered('server/discover');
  return known ?? (handshake && isShown ? { kind: 'legacy' } : undefined);
}

async function negotiateStdio(
  protocol: Protocol,
  start: NegotiationOptions,
  opened: OpenTransport,
): Promise<Negotiated> {
  const release = keepOpen(opened.transport);
  try {
    return await connect('legacy', opened, start);
  } catch (error) {
    // The SDK's own errors have texts as codes: the server did not answer, or its process ended.
    const isAnswer = typeof ownProperty(error, 'code') !== 'string';
    if (start.signal.aborted || !isAnswer || protocol === 'legacy') throw error;
    opened.transport.start = () => Promise.resolve();
    return await connect('auto', opened, start);
  } finally {
    release();
  }
}

type NegotiationStep = 'auto' | 'initialize' | 'sse';

/**
 * Tries the SDK's probe with its fallback, then `initialize` alone on a new transport, then the transport
 * of 2024. Rejects with the error of the first way.
 */
async function negotiateHttp(protocol: Protocol, start: NegotiationOptions): Promise<Negotiated> {
  const { open, signal, onFailed, known } = start;
  if (protocol === '2026-07-28') return connect({ pin: protocol }, await open(), start);
  let step: NegotiationStep | undefined = protocol === 'legacy' ? 'initialize' : 'auto';
  let first: { readonly error: unknown } | undefined;
  while (step !== undefined) {
    const opened = await open(step === 'sse' ? step : undefined);
    try {
      return await connect(step === 'auto' ? 'auto' : 'legacy', opened, start);
    } catch (error) {
      if (signal.aborted) throw error;
      first ??= { error };
      step = known === undefined ? nextStep(step, error, opened) : undefined;
      if (step !== undefined) onFailed(first.error);
    }
  }
  throw first?.error;
}

/** What to try after a failure; `undefined` if nothing else can help. */
function nextStep(
  step: NegotiationStep,
  error: unknown,
  opened: OpenTransport,
): NegotiationStep | undefined {
  const { handshake } = opened;
  if (step === 'sse' || opened.watch.breach.signal.aborted) return;
  const initialized = handshake?.get('initialize');
  if (initialized !== undefined) return NOT_KNOWN.has(initialized.status) ? 'sse' : undefined;
  if (step !== 'auto') return;
  const probed = handshake?.get('server/discover');
  if (probed === undefined) {
    return ownProperty(error, 'code') === 'REQUEST_TIMEOUT' ? 'initialize' : undefined;
  }
  const { status, headers } = probed;
  const isDenied = status === 401 || status === 403;
  // A challenge says what a login needs, so no other way helps.
  if (isDenied) return headers.has('www-authenticate') ? undefined : 'initialize';
  return status < 300 || status >= 500 ? 'initialize' : undefined;
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
type Negotiation = 'legacy' | 'auto' | { readonly pin: string };

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
