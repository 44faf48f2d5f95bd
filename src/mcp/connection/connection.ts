import { errorMessage, ToolfoldError } from '../../errors.ts';
import { isRecord, quantity, raceAbort } from '../../tools/values/index.ts';
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

/** Default time limit in milliseconds for a server to start and list its tools. */
export const DEFAULT_CONNECT_TIMEOUT = 30_000;

/** Time limit of a tool call in milliseconds. Usually the caller's signal ends it earlier. */
const CALL_TIMEOUT = 600_000;

/** Result of an attempt to connect. */
export type SettledState =
  | { readonly kind: 'ready'; readonly listing: ServerListing }
  | ({ readonly kind: 'failed' } & Failure);

/** State of a connection. It leaves `connecting` once. `ready` can still become `failed`. */
export type ConnectionState = { readonly kind: 'connecting' } | SettledState;

/** Options of `connectServer`. */
export interface ConnectOptions {
  /** Cancels the attempt and ends everything that it started. */
  readonly signal?: AbortSignal;
  /** Milliseconds for starting and listing together. Default: 30,000. */
  readonly timeout?: number;
  /** Creates the SDK client, for hosts that answer sampling or elicitation. */
  readonly clientFactory?: () => Client | Promise<Client>;
}

/** The connection to one server. */
export interface ServerConnection {
  readonly name: string;
  readonly entry: ServerEntry;
  readonly state: ConnectionState;
  /** Resolves with the first state that is not `connecting`. */
  readonly settled: Promise<SettledState>;
  /**
   * Sends `tools/call` and returns the result as received. Rejects on a protocol error and on a
   * malformed answer, and says what the server did. Secrets of the entry are removed from errors and
   * from results with `isError`, which often repeat a rejected key. Other results stay unchanged.
   */
  callTool(
    name: string,
    input: unknown,
    options: { readonly signal?: AbortSignal },
  ): Promise<unknown>;
  /** Ends the connection and the server's process. Resolves when the process has ended. */
  close(): Promise<void>;
}

/**
 * Starts to connect to one server over stdio or HTTP and lists its tools. Failures appear in the
 * state. Only a missing SDK makes `settled` reject (`missing-dependency`).
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
          : { reason: 'it is not connected yet', remedy: 'Wait for `settled`.' };
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

  /** The error of a call, without secrets. If the server was disconnected, the error says why. */
  #callError(error: unknown): unknown {
    const breach = this.#opened?.breach?.();
    const secrets = this.entry.kind === 'unusable' ? [] : this.entry.secrets;
    if (breach === undefined) return withoutSecrets(error, secrets);
    return new ToolfoldError(
      'connection-failed',
      `The MCP server ${this.name} was disconnected: ${breach}.`,
      'Report it to the maker of the server, or remove its entry.',
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
      const listing = await raceAbort(this.#start(entry, signal, options, milliseconds), signal);
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
      // Not awaited: the failure is already known, and `close` waits for the end of the process.
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
    // Nothing was started yet, so an abort until here needs no cleanup.
    signal.throwIfAborted();
    this.#opened = opened;
    this.#client = client;
    const hide = (text: string): string => redact(text, entry.secrets);
    const listing = await initialize(client, opened.transport, { signal, timeout }, hide);
    const lines = opened.strayLines?.() ?? 0;
    const stray = `it wrote ${quantity(lines, 'line')} to stdout that ${lines === 1 ? 'is not an MCP message; it was' : 'are not MCP messages; they were'} ignored`;
    const warnings = [...listing.warnings, ...(lines === 0 ? [] : [stray])];
    return { ...listing, warnings };
  }

  #late(milliseconds: number): Failure {
    const what =
      this.#client?.getServerCapabilities() === undefined
        ? 'it did not answer'
        : 'it did not list its tools';
    return {
      reason: `${what} within ${(milliseconds / 1000).toLocaleString('en-US')} s`,
      remedy: 'Start it by hand to see what it waits for, or set a longer timeout.',
    };
  }

  #fail({ reason, remedy }: Failure): SettledState {
    const failed: SettledState = { kind: 'failed', reason, remedy };
    this.#state = failed;
    return failed;
  }

  /** Sets the state to `failed` when a ready server ends. */
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
  // Over HTTP an extra request detects servers of the 2026-07-28 revision. Over stdio this request
  // makes some older servers end, and all current servers accept the older handshake.
  const mode = entry.kind === 'http' ? 'auto' : 'legacy';
  return new Client({ name: 'toolfold', version: VERSION }, { versionNegotiation: { mode } });
}
