import { errorMessage, ToolfoldError } from '../../errors.ts';
import { isRecord } from '../../tools/values/index.ts';
import type { ServerEntry } from '../config/index.ts';
import { redact } from '../secrets/index.ts';
import {
  type Client,
  describeFailure,
  type Failure,
  importSdk,
  lostConnection,
  type OpenTransport,
  openTransport,
  withOutputTail,
  withoutSecrets,
} from '../transport/index.ts';
import { asReceived, initialize } from './initialize.ts';
import type { ServerListing } from './listing.ts';
import { VERSION } from './version.ts';

/** Milliseconds a server may take to start and list its tools unless the host says otherwise. */
export const DEFAULT_CONNECT_TIMEOUT = 30_000;

/** Milliseconds after which a tool call is given up; the caller's signal is the usual limit. */
const CALL_TIMEOUT = 600_000;

/** How an attempt to connect came out. */
export type SettledState =
  | { readonly kind: 'ready'; readonly listing: ServerListing }
  | ({ readonly kind: 'failed' } & Failure);

/** Where a connection stands. It leaves `connecting` once; `ready` can still become `failed`. */
export type ConnectionState = { readonly kind: 'connecting' } | SettledState;

/** How to connect; see `connectServer`. */
export interface ConnectOptions {
  /** Ends the attempt, and what it started. */
  readonly signal?: AbortSignal;
  /** Milliseconds for starting and listing together; 30,000 by default. */
  readonly timeout?: number;
  /** Makes the SDK client to connect with: for hosts that answer sampling or elicitation. */
  readonly clientFactory?: () => Client | Promise<Client>;
}

/** One server, from its entry to its end. */
export interface ServerConnection {
  readonly name: string;
  readonly entry: ServerEntry;
  readonly state: ConnectionState;
  /** Resolves with the first state that is not `connecting`. */
  readonly settled: Promise<SettledState>;
  /**
   * Sends `tools/call` and returns the result as received; rejects on a protocol error, and on an
   * answer that is none, saying what the server did. Secrets of the entry are taken out of errors
   * and of results with `isError`, which often repeat a key that was refused; any other result is
   * the tool's data and stays as it is.
   */
  callTool(
    name: string,
    input: unknown,
    options: { readonly signal?: AbortSignal },
  ): Promise<unknown>;
  /** Ends the connection and the server's process; resolves once that is gone. */
  close(): Promise<void>;
}

/**
 * Begins to connect to one server over stdio or HTTP and lists its tools. What goes wrong is told
 * by the state; only a missing SDK is thrown (`missing-dependency`), by `settled`.
 */
export function connectServer(
  name: string,
  entry: ServerEntry,
  options: ConnectOptions = {},
): ServerConnection {
  return new Connection(name, entry, options);
}

class Connection implements ServerConnection {
  readonly name: string;
  readonly entry: ServerEntry;
  readonly settled: Promise<SettledState>;
  #state: ConnectionState = { kind: 'connecting' };
  #client: Client | undefined;
  #opened: OpenTransport | undefined;
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(name: string, entry: ServerEntry, options: ConnectOptions) {
    this.name = name;
    this.entry = entry;
    this.settled = this.#connect(options);
  }

  get state(): ConnectionState {
    return this.#state;
  }

  async callTool(
    name: string,
    input: unknown,
    options: { readonly signal?: AbortSignal },
  ): Promise<unknown> {
    if (this.#state.kind !== 'ready' || this.#client === undefined) {
      const { reason, remedy } =
        this.#state.kind === 'failed'
          ? this.#state
          : { reason: 'it is not connected yet', remedy: 'Wait until it is.' };
      throw new ToolfoldError(
        'connection-failed',
        `The MCP server ${this.name} cannot be used: ${reason}.`,
        remedy,
      );
    }
    options.signal?.throwIfAborted();
    const params = { name, arguments: isRecord(input) ? input : {} };
    try {
      return await this.#client.request({ method: 'tools/call', params }, asReceived, {
        timeout: CALL_TIMEOUT,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
    } catch (error) {
      options.signal?.throwIfAborted();
      throw this.#callError(error);
    }
  }

  /** The error of a call: why the server was cut off where it was, and never with a secret in it. */
  #callError(error: unknown): unknown {
    const breach = this.#opened?.breach?.();
    const secrets = this.entry.kind === 'unusable' ? [] : this.entry.secrets;
    if (breach === undefined) return withoutSecrets(error, secrets);
    return new ToolfoldError(
      'connection-failed',
      `The MCP server ${this.name} was cut off: ${breach}.`,
      'Report it to whoever makes the server, or remove its entry.',
    );
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort(new Error('the host closed the connection'));
    const settled = await this.settled;
    if (settled.kind === 'ready') {
      this.#fail({ reason: 'the host closed the connection', remedy: 'Connect again.' });
    }
    await this.#opened?.close();
  }

  async #connect(options: ConnectOptions): Promise<SettledState> {
    const { entry } = this;
    if (entry.kind === 'unusable') return this.#fail(entry);
    const milliseconds = options.timeout ?? DEFAULT_CONNECT_TIMEOUT;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), milliseconds);
    const stops = [deadline.signal, this.#closing.signal];
    const signal = AbortSignal.any(options.signal ? [...stops, options.signal] : stops);
    try {
      const listing = await unlessAborted(
        signal,
        this.#start(entry, signal, options, milliseconds),
      );
      const ready: SettledState = { kind: 'ready', listing };
      this.#state = ready;
      this.#failWhenItEnds(entry.secrets);
      return ready;
    } catch (error) {
      if (error instanceof ToolfoldError && error.code === 'missing-dependency') throw error;
      const stopped = deadline.signal.aborted
        ? this.#late(milliseconds)
        : signal.aborted && {
            reason: `connecting was stopped (${errorMessage(signal.reason)})`,
            remedy: 'Connect again.',
          };
      const { secrets } = entry;
      const failure = stopped
        ? withOutputTail(stopped, this.#opened, secrets)
        : await describeFailure(error, this.#opened, secrets);
      // Not awaited: the failure is known now, and `close` waits for the end.
      void this.#opened?.kill();
      return this.#fail(failure);
    } finally {
      clearTimeout(timer);
    }
  }

  async #start(
    entry: Exclude<ServerEntry, { kind: 'unusable' }>,
    signal: AbortSignal,
    options: ConnectOptions,
    timeout: number,
  ): Promise<ServerListing> {
    const takesNotifications = options.clientFactory !== undefined;
    const opened = await openTransport(entry, process.platform, takesNotifications);
    const client = (await options.clientFactory?.()) ?? (await createClient(entry));
    // Nothing has been started so far: whoever stopped it by now has nothing to clean up.
    signal.throwIfAborted();
    this.#opened = opened;
    this.#client = client;
    const hide = (text: string): string => redact(text, entry.secrets);
    const listing = await initialize(client, opened.transport, { signal, timeout }, hide);
    const lines = opened.rubbishLines?.() ?? 0;
    const rubbish = `it wrote ${lines === 1 ? '1 line that is' : `${lines} lines that are`} no message to stdout`;
    const warnings = [...listing.warnings, ...(lines === 0 ? [] : [rubbish])];
    return { ...listing, warnings };
  }

  #late(milliseconds: number): Failure {
    const what =
      this.#client?.getServerCapabilities() === undefined
        ? 'it did not answer'
        : 'it did not list its tools';
    return {
      reason: `${what} within ${milliseconds / 1000} s`,
      remedy: 'Start it by hand to see what it waits for, or give it more time.',
    };
  }

  #fail({ reason, remedy }: Failure): SettledState {
    const failed: SettledState = { kind: 'failed', reason, remedy };
    this.#state = failed;
    return failed;
  }

  /** A server that ends later on takes its tools with it. */
  #failWhenItEnds(secrets: readonly string[]): void {
    if (this.#client === undefined) return;
    this.#client.onclose = () => {
      if (this.#state.kind !== 'ready') return;
      this.#fail({ reason: 'it closed the connection', remedy: 'Connect again.' });
      void describeFailure(lostConnection('it closed the connection'), this.#opened, secrets).then(
        (failure) => this.#fail(failure),
      );
    };
  }
}

async function createClient(entry: ServerEntry): Promise<Client> {
  const { Client } = await importSdk();
  // Over HTTP one more request tells servers of the 2026-07-28 revision from older ones. Over stdio
  // that question makes some older servers end, and all current ones answer the older greeting.
  const mode = entry.kind === 'http' ? 'auto' : 'legacy';
  return new Client({ name: 'toolfold', version: VERSION }, { versionNegotiation: { mode } });
}

/** The promise's outcome, or a rejection as soon as the signal aborts. */
async function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  let stop: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
