import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import {
  formatCount,
  isRecord,
  type JsonObject,
  ownProperties,
  ownProperty,
  plainLine,
  raceAbort,
} from '@toolfold/core/internal/values';
import type { ServerEntry, UsableEntry } from '../config/index.ts';
import { redact } from '../redact.ts';
import { lostConnection } from '../sdk.ts';
import {
  type ChannelRequestOptions,
  describeFailure,
  type Failure,
  type HttpAuth,
  httpProblemOf,
  type OpenTransport,
  openTransport,
  type ServerHandler,
  type StrayAnswers,
  withOutputTail,
} from '../transport/index.ts';
import { type RequestLimits, readServerAndTools, type ServerListing } from './listing.ts';
import { CLIENT_INFO, type KnownRevision, type Negotiated, negotiate } from './negotiate.ts';
import { ListChanges, type OtherLists, readOtherLists } from './other-lists.ts';
import { type AnswerRequest, paramHeaders, withInput } from './tool-calls.ts';

/** Default time limit in milliseconds for a server to start and list its tools. */
export const DEFAULT_CONNECT_TIMEOUT = 30_000;

export interface OpenConnectionOptions {
  /** Cancels the attempt and ends everything that it started. */
  readonly signal?: AbortSignal;
  /** Milliseconds for starting and listing together. Default: 30,000. */
  readonly timeout?: number;
  /** The revision that the server had before. */
  readonly known?: KnownRevision | undefined;
  readonly handlers?: ClientHandlers | undefined;
  readonly authProvider?: HttpAuth | undefined;
}

/** What a client announces to a server, and how it answers its requests and notifications. */
export interface ClientHandlers extends ServerHandler {
  readonly capabilities: object;
  /** Whether changes of the lists of resources and prompts are followed too. */
  readonly followsOthers: boolean;
  /** Called when the client is connected and has listed the tools. */
  readonly connected?: (client: Client) => void;
}

/** Options of a call. */
export interface LiveCallOptions
  extends Pick<ChannelRequestOptions, 'addressee' | 'signal' | 'onProgress'> {
  /** Milliseconds until the call is given up. */
  readonly timeout: number;
  /** See `ChannelRequestOptions`. */
  readonly maxTime?: number | undefined;
  /** Answers what the server asks in this call, since 2026-07-28. A rejection ends the call with it. */
  readonly onInputRequest?: AnswerRequest | undefined;
  readonly meta?: JsonObject | undefined;
}

/** A connection that is ready. It ends once and is then replaced by another. */
export interface LiveConnection {
  readonly listing: ServerListing;
  /** What is known of the revision, for the next connection. `undefined` over stdio and SSE for older revisions. */
  readonly known: KnownRevision | undefined;
  /** Whether the server gave a session over HTTP, which it may forget. */
  readonly hasSession: boolean;
  /** Resolves when the connection has ended, with the reason. */
  readonly ended: Promise<Failure>;
  /** Why the connection has ended; `undefined` while it is ready. */
  readonly failure: Failure | undefined;
  /** Sends `tools/call`. `tool`: its definition as listed. Rejects with the server's error. */
  call(
    tool: JsonObject & { readonly name: string },
    input: unknown,
    options: LiveCallOptions,
  ): Promise<unknown>;
  /**
   * Sends a request and returns the result as received. Rejects with `AnsweredError` if the server answers
   * with an error.
   */
  request(method: string, params: JsonObject, options?: ChannelRequestOptions): Promise<JsonObject>;
  /** Reads the lists of resources and prompts. Never rejects: a list that cannot be read is absent. */
  otherLists(options: RequestLimits): Promise<OtherLists>;
  /** Answers that belong to no request that waits, for the time-out of a call. */
  readonly strays: StrayAnswers;
  /** Calls the listener when the server says that its list of tools has changed. */
  onListChanged(listener: () => void): void;
  list(options: RequestLimits): Promise<ServerListing>;
  /** Ends the connection gracefully, in bounded time. */
  close(): Promise<void>;
}

/** An attempt to connect that failed. Its message is the reason, without secrets. */
export class ConnectError extends Error {
  readonly failure: Failure;
  /** Resolves when everything that the attempt had started has ended. */
  readonly cleanedUp: Promise<void>;

  constructor(failure: Failure, cause: unknown, cleanedUp: Promise<void>) {
    super(failure.reason, { cause });
    this.failure = failure;
    this.cleanedUp = cleanedUp;
  }
}

/**
 * Starts a server, or connects to it, and lists its tools. Rejects with `ConnectError`, and with
 * `missing-dependency` without the SDK.
 */
export async function openConnection(
  entry: UsableEntry,
  options: OpenConnectionOptions = {},
): Promise<LiveConnection> {
  const timeout = options.timeout ?? DEFAULT_CONNECT_TIMEOUT;
  const attempt: TransportAttempt = { opened: undefined, client: undefined };
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeout);
  const signal = AbortSignal.any(
    options.signal ? [deadline.signal, options.signal] : [deadline.signal],
  );
  const ends = performance.now() + timeout;
  try {
    const connecting = connectInTime(entry, attempt, { ...options, signal, timeout }, ends);
    return await raceAbort(connecting, signal);
  } catch (error) {
    const { secrets } = entry;
    const isLate = deadline.signal.aborted;
    // The first way to connect has failed, and another one took too long.
    const cause = isLate && attempt.first ? attempt.first.error : error;
    const stopped = isLate
      ? attempt.first === undefined && late(attempt, timeout, entry)
      : signal.aborted && {
          reason: `connecting was stopped (${errorMessage(signal.reason)})`,
          remedy: 'Connect again.',
        };
    const failure = stopped
      ? withOutputTail(stopped, attempt.opened, secrets)
      : await describeFailure(cause, attempt.opened, secrets, entry);
    const cleanedUp = attempt.opened?.kill() ?? Promise.resolve();
    // The failure is already known. Whoever waits for the end gets its error.
    cleanedUp.catch(() => {});
    throw new ConnectError(failure, cause, cleanedUp);
  } finally {
    clearTimeout(timer);
  }
}

type InTime = OpenConnectionOptions & Required<RequestLimits>;

/** Connects. If the server asks to wait, and this fits into the time, waits and connects again. */
async function connectInTime(
  entry: UsableEntry,
  attempt: TransportAttempt,
  options: InTime,
  ends: number,
): Promise<LiveConnection> {
  for (;;) {
    try {
      return await connect(entry, attempt, options);
    } catch (error) {
      const { retryAfter } = httpProblemOf(error) ?? {};
      const isInTime = retryAfter !== undefined && performance.now() + retryAfter < ends;
      if (!isInTime || entry.kind === 'transport') throw error;
      await attempt.opened?.kill();
      await delay(retryAfter, undefined, { signal: options.signal });
    }
  }
}

interface TransportAttempt {
  opened: OpenTransport | undefined;
  client: Client | undefined;
  /** The error of the first way to connect, while another one is tried. */
  first?: { readonly error: unknown };
}

async function connect(
  entry: UsableEntry,
  attempt: TransportAttempt,
  options: InTime,
): Promise<LiveConnection> {
  const { signal, timeout, known, handlers, authProvider } = options;
  const changes = new ListChanges();
  const open = async (kind?: 'sse'): Promise<OpenTransport> => {
    const used = kind === undefined || entry.kind !== 'http' ? entry : { ...entry, kind };
    const [opened] = await Promise.all([
      openTransport(used, { authProvider }),
      attempt.opened?.kill(),
    ]);
    // Nothing was started yet, so an abort until here needs no cleanup.
    signal.throwIfAborted();
    attempt.opened = opened;
    opened.channel.handler = handlers;
    return opened;
  };
  const negotiated = await negotiate(entry, {
    signal,
    timeout,
    known,
    open,
    onFailed: (error) => {
      // That a server did not answer is said of the whole time.
      if (ownProperty(error, 'code') !== 'REQUEST_TIMEOUT') attempt.first ??= { error };
    },
    capabilities: handlers?.capabilities,
    onClient: (created) => {
      attempt.client = created;
      changes.follow(created);
    },
  });
  const { client, opened } = negotiated;
  opened.channel.connected(envelopeOf(client, handlers));
  const hide = (text: string): string => redact(text, entry.secrets);
  const listing = await readServerAndTools(client, { signal, timeout }, hide);
  const lines = opened.strayLines?.() ?? 0;
  const stray = `it wrote ${formatCount(lines, 'line')} to stdout that ${lines === 1 ? 'is not an MCP message; it was' : 'are not MCP messages; they were'} ignored`;
  const strays = opened.watch.requests.strays.take();
  const warnings = [
    ...listing.warnings,
    ...(lines === 0 ? [] : [stray]),
    ...strays.map((text) => `it sent ${text}`),
  ];
  changes.subscribe(client, handlers?.followsOthers === true);
  handlers?.connected?.(client);
  return liveConnection(negotiated, { ...listing, warnings }, hide, entry.secrets, changes);
}

/** What each request says of its client, since 2026-07-28. */
function envelopeOf(client: Client, handlers: ClientHandlers | undefined): JsonObject | undefined {
  if (client.getProtocolEra() !== 'modern') return;
  return {
    'io.modelcontextprotocol/protocolVersion': client.getNegotiatedProtocolVersion() ?? '',
    'io.modelcontextprotocol/clientInfo': { ...CLIENT_INFO },
    'io.modelcontextprotocol/clientCapabilities': { ...handlers?.capabilities },
  };
}

function late(
  { client, opened }: TransportAttempt,
  milliseconds: number,
  { kind }: ServerEntry,
): Failure {
  const what =
    client?.getServerCapabilities() === undefined
      ? 'it did not answer'
      : 'it did not list its tools';
  const stray = opened?.watch.requests.strays.since(0);
  const meanwhile = stray === undefined ? '' : `; meanwhile the server sent ${stray}`;
  return {
    reason: `${what} within ${(milliseconds / 1000).toLocaleString('en-US')} s${meanwhile}`,
    remedy:
      kind === 'http' || kind === 'sse'
        ? 'Check its "url", or set a longer "startSeconds".'
        : 'Start it by hand to see what it waits for, or set a longer "startSeconds".',
  };
}

const MAX_TYPE = 60;

/** The result without its type, which only says that nothing more is asked. */
function withoutType(result: unknown): unknown {
  const { resultType, ...others } = ownProperties(result);
  if (resultType === undefined) return result;
  if (resultType === 'complete') return others;
  const shown = plainLine(JSON.stringify(resultType), MAX_TYPE);
  throw new Error(
    `The server's answer cannot be used: its result has the type ${shown}, which is not known.`,
  );
}

function liveConnection(
  { client, opened, known }: Negotiated,
  listing: ServerListing,
  hide: (text: string) => string,
  secrets: readonly string[],
  changes: ListChanges,
): LiveConnection {
  const { channel, watch } = opened;
  const { promise: ended, resolve } = Promise.withResolvers<Failure>();
  let failure: Failure | undefined;
  const { onclose } = client;
  client.onclose = () => {
    onclose?.();
    failure = { reason: 'it closed the connection', remedy: 'Connect again.' };
    void describeFailure(lostConnection(failure.reason), opened, secrets).then((described) => {
      failure = described;
      resolve(described);
    });
  };
  const isModern = client.getProtocolEra() === 'modern';
  const call = (
    tool: unknown,
    params: JsonObject,
    options: ChannelRequestOptions,
  ): Promise<JsonObject> => {
    const schema = isModern && ownProperty(tool, 'inputSchema');
    const headers = schema ? paramHeaders(schema, params.arguments) : undefined;
    return channel.request('tools/call', params, { ...options, headers });
  };
  return {
    ...{ listing, known, ended },
    strays: watch.requests.strays,
    hasSession: opened.transport.sessionId !== undefined,
    get failure() {
      return failure;
    },
    call: async (tool, input, { onInputRequest, meta, ...options }) => {
      const params: JsonObject = {
        name: tool.name,
        arguments: isRecord(input) ? (input as JsonObject) : {},
        ...(meta && Object.keys(meta).length > 0 && { _meta: meta }),
      };
      // Progress begins the time of a call again, so the server is asked for it.
      const asking = { onProgress: () => {}, ...options };
      const send = (given: object) => call(tool, { ...params, ...given }, asking);
      // An older revision has no rounds: there, a field of this name means nothing.
      if (!isModern) return send({});
      return withoutType(
        await (onInputRequest ? withInput(onInputRequest, options.signal, send) : send({})),
      );
    },
    request: (method, params, options = {}) => {
      if (method !== 'tools/call') return channel.request(method, params, options);
      return call(
        listing.tools.find(({ name }) => name === params.name),
        params,
        options,
      );
    },
    otherLists: (limits) =>
      readOtherLists(listing.capabilities, (method, params) =>
        channel.request(method, params, limits),
      ),
    onListChanged: (listener) => changes.onChange(listener),
    list: (limits) => readServerAndTools(client, limits, hide),
    close: () => opened.close(),
  };
}
