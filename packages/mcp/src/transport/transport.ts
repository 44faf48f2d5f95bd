import { pick, within } from '@toolfold/core/internal/values';
import type { HttpServerEntry, StdioServerEntry, UsableEntry } from '../config/index.ts';
import { inheritedEnvironment, TextTail } from '../processes/index.ts';
import { redact } from '../redact.ts';
import { type FetchLike, importSdk, type Transport } from '../sdk.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { Channel } from './channel.ts';
import { ChildProcessTransport, type ProcessEnd } from './child-process-transport.ts';
import {
  type ConnectionWatch,
  type Failure,
  type HandshakeAnswers,
  type OpenedTransport,
  type OpenTransport,
  watchTransport,
} from './open-transport.ts';
import { PendingRequests } from './pending-requests.ts';

/**
 * The authentication of one server over HTTP. The SDK's transports call `token` before each request and
 * `onUnauthorized` after an answer 401; then they send the request once more.
 */
export interface HttpAuth {
  /** Texts that must never be shown: secrets of the entry, and tokens. The list changes in place. */
  readonly secrets: readonly string[];
  /** The token for the next request; `undefined` if there is none. */
  token(): Promise<string | undefined>;
  /** Makes another token available. Rejects with the SDK's `UnauthorizedError` if a login is needed. */
  onUnauthorized(context: { readonly response: Response }): Promise<void>;
  /** Reports which token the server refused with this response. Called before `onUnauthorized`. */
  rejected(response: Response, token: string): void;
  /** Gets each answer 403, which may say that the login lacks a scope. Never rejects. */
  insufficient?(response: Response): Promise<void>;
}

interface OpenTransportOptions {
  readonly platform?: NodeJS.Platform;
  readonly authProvider?: HttpAuth | undefined;
}

/** Prepares the transport for an entry. The SDK's client starts it later. */
export async function openTransport(
  entry: UsableEntry,
  options: OpenTransportOptions = {},
): Promise<OpenTransport> {
  // Tokens are received later, so the list of the provider grows.
  const secrets = options.authProvider?.secrets ?? entry.secrets;
  const requests = new PendingRequests((text) => redact(text, secrets));
  const watch: ConnectionWatch = { requests, breach: new AbortController(), secrets };
  const made = await open(entry, options, watch);
  const channel = new Channel(made.transport, (method) =>
    requests.strays.add(
      `the request ${method}, which 2026-07-28 does not have, and took no answer; write "protocol": "legacy" in its entry`,
    ),
  );
  const closing = (end: () => Promise<void>) => (): Promise<void> => {
    channel.closing();
    return end();
  };
  const [close, kill] = [closing(made.close), closing(made.kill)];
  watch.breach.signal.addEventListener('abort', () => void kill());
  const opened = { ...made, watch, channel, close, kill };
  watchTransport(opened.transport, watch, channel);
  return opened;
}

async function open(
  entry: UsableEntry,
  { platform = process.platform, authProvider }: OpenTransportOptions,
  watch: ConnectionWatch,
): Promise<OpenedTransport> {
  if (entry.kind === 'transport') return closable(entry.transport);
  if (entry.kind !== 'stdio') return openHttp(entry, watch, authProvider);
  return platform === 'win32' ? openSdkStdio(entry) : openChildProcess(entry, watch);
}

function closable(transport: Transport): OpenedTransport {
  const close = () => transport.close();
  return { transport, close, kill: close };
}

function openChildProcess(entry: StdioServerEntry, watch: ConnectionWatch): OpenedTransport {
  const transport = new ChildProcessTransport(entry, watch);
  const { stderr, strayOutput } = transport;
  const ended = transport.ended.then((end) => failureOf(entry.command, end));
  return {
    transport,
    stderr,
    strayOutput,
    strayLines: () => transport.strayLines,
    ended,
    close: () => transport.close(),
    kill: () => transport.kill(),
  };
}

function failureOf(command: string, end: ProcessEnd): Failure {
  if (end.kind === 'exit') {
    const { signal } = end;
    const how = signal === null ? `ended with code ${end.code}` : `was ended by ${signal}`;
    return { reason: `its process ${how}`, remedy: 'Run its command by hand to see why.' };
  }
  const { code, message } = end.error;
  const remedy = /\s/.test(command)
    ? 'If these are several words, write only the program in "command", and the others in "args".'
    : 'Install it, or correct "command" and "cwd".';
  if (code === 'ENOENT') {
    return { reason: `"${command}", or the folder to start it in, was not found`, remedy };
  }
  return { reason: `"${command}" could not be started (${code ?? message})`, remedy };
}

/** Uses the SDK's transport, because plain `spawn` cannot start `npx.cmd` and similar files. */
async function openSdkStdio(entry: StdioServerEntry): Promise<OpenedTransport> {
  await importSdk();
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const transport = new StdioClientTransport({
    command: entry.command,
    args: [...entry.args],
    env: { ...inheritedEnvironment(entry.passEnv), ...Object.fromEntries(entry.env) },
    stderr: 'pipe',
    ...pick(entry, 'cwd'),
  });
  const stderr = new TextTail();
  transport.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk));
  return { ...closable(transport), stderr };
}

async function openHttp(
  entry: HttpServerEntry,
  watch: ConnectionWatch,
  authProvider: HttpAuth | undefined,
): Promise<OpenedTransport> {
  const { SSEClientTransport, StreamableHTTPClientTransport } = await importSdk();
  const url = new URL(entry.url);
  const handshake: HandshakeAnswers = new Map();
  const bounded = boundedFetch({ ...watch, handshake, isOneStream: entry.kind === 'sse' });
  const options = {
    requestInit: { headers: Object.fromEntries(entry.headers) },
    fetch: authProvider === undefined ? bounded : noteRejections(bounded, authProvider),
    ...(authProvider && { authProvider }),
  };
  if (entry.kind === 'sse') return closable(new SSEClientTransport(url, options));
  const transport = new StreamableHTTPClientTransport(url, options);
  const close = async () => {
    // Ends the session on the server. `close` does not wait longer than a second for the answer. A
    // failure does not matter here: the connection is closed in any case.
    await within(1000, Promise.allSettled([transport.terminateSession()]));
    await transport.close();
  };
  return { ...closable(transport), handshake, close };
}

/**
 * A `fetch` that reports the token of each request that was answered 401, and each answer 403. Without
 * the former, two requests with the same old token would refresh it twice.
 */
function noteRejections(fetch: FetchLike, authProvider: HttpAuth): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.status === 403) await authProvider.insufficient?.(response);
    if (response.status !== 401) return response;
    const authorization = new Headers(init?.headers).get('authorization') ?? '';
    const token = /^Bearer (.+)$/.exec(authorization)?.[1];
    if (token !== undefined) authProvider.rejected(response, token);
    return response;
  };
}
