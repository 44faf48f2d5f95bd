import {
  checkKnown,
  type KnownOptions,
  ownProperty,
  pick,
  plainLine,
} from '@toolfold/core/internal/values';
import type { HttpServerEntry, ServerEntry } from '../config/index.ts';
import { ConnectError, type OpenConnectionOptions, openConnection } from '../connection/index.ts';
import { importSdk } from '../sdk.ts';
import type { Failure, HttpAuth, LoginNeeded } from '../transport/index.ts';
import { authorizationFetch } from './authorization-fetch.ts';
import type { PastedAnswers } from './callback.ts';
import {
  isOfProgram,
  type LoginContext,
  type LoginContextOptions,
  loginAdvice,
  loginContext,
  loginError,
  loginFailed,
} from './login-context.ts';
import { type LoginFlow, logInAsPerson, logInAsProgram, scopesOf } from './login-flow.ts';
import { endOf, type StoredLogin } from './login-store.ts';
import { authProviderFor, type LoginAuth } from './server-auth.ts';

/** Default time limit of a login in milliseconds. */
const LOGIN_TIMEOUT = 300_000;

/** Milliseconds for one request to the MCP server. */
const VISIT_TIMEOUT = 30_000;

/** Options of `login`. */
export interface LoginOptions extends LoginContextOptions {
  /**
   * Called with the address where the person logs in. The login waits for the browser's answer in the
   * meantime. An error of this function ends the login.
   */
  readonly onUrl: (url: string) => void | Promise<void>;
  /** Scopes to ask for, besides those of the entry, of the server and of the earlier login. */
  readonly scopes?: readonly string[];
  /** Lets the user paste the address to which the browser was sent. */
  readonly pasted?: PastedAnswers;
  /** Ends the login and its listener. */
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole login. Default: 300,000. */
  readonly timeout?: number;
}

/** The result of a login. */
export interface LoginResult {
  /** `not-needed`: the server lists its tools without a login, and offers none. */
  readonly kind: 'logged-in' | 'not-needed';
  /** The number of tools that the server lists. */
  readonly tools: number;
  /** When the access token ends, in milliseconds since 1970. It is refreshed before, if the server allows it. */
  readonly endsAt?: number;
  /** Whether the login was saved. Otherwise it ends with this process. */
  readonly isSaved: boolean;
}

const LOGIN_OPTIONS: KnownOptions<LoginOptions> = {
  folder: true,
  onWarning: true,
  now: true,
  requestTimeout: true,
  onUrl: true,
  scopes: true,
  pasted: true,
  signal: true,
  timeout: true,
};

/**
 * Logs in to a server over HTTP, by the flow of its entry, and connects once to prove that the server
 * accepts the token. Throws `invalid-option` for a server without logins, and `connection-failed` if the
 * login fails; the earlier login is then kept. Throws the reason of the signal if it aborts.
 */
export async function login(
  server: string,
  entry: ServerEntry,
  options: LoginOptions,
): Promise<LoginResult> {
  checkKnown('login()', options, LOGIN_OPTIONS);
  const { timeout = LOGIN_TIMEOUT } = options;
  const limit = AbortSignal.timeout(Math.ceil(timeout));
  const signal = AbortSignal.any(options.signal ? [limit, options.signal] : [limit]);
  const context = loginContext(server, entry, { ...options, signal });
  try {
    return await logIn(context, options, signal);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw limit.aborted
      ? loginFailed(server, `it was not finished within ${timeout / 1000} s`, 'Start it again.')
      : loginError(server, error, context.secrets);
  }
}

async function logIn(
  context: LoginContext,
  options: LoginOptions,
  signal: AbortSignal,
): Promise<LoginResult> {
  const { server, entry, store } = context;
  const limits = { signal, timeout: VISIT_TIMEOUT };
  const first = await visit(server, entry, limits);
  if (first.kind === 'failed') throw loginFailed(server, first.reason, first.remedy);
  if (first.kind === 'open' && !(await offersLogin(context, signal))) {
    return { kind: 'not-needed', tools: first.tools, isSaved: false };
  }
  const flow: LoginFlow = {
    ...{ ...context, earlier: await store.read(), ...pick(options, 'scopes', 'pasted') },
    challenge: first.kind === 'login-needed' ? first.challenge : undefined,
  };
  const made: StoredLogin = isOfProgram(entry)
    ? await logInAsProgram(flow)
    : await logInAsPerson(flow, options.onUrl, signal);
  const isSaved = await store.write(made);
  const auth = authProviderFor(
    server,
    entry,
    pick(options, 'folder', 'onWarning', 'now', 'requestTimeout'),
  );
  const second = await visit(server, entry, limits, auth);
  if (second.kind === 'failed') {
    throw loginFailed(server, `the server cannot be used: ${second.reason}`, second.remedy);
  }
  if (second.kind === 'login-needed') {
    throw loginFailed(
      server,
      'the server refuses the new token',
      'Check "oauth.scopes" in its entry, or report it to the maker of the server.',
    );
  }
  const endsAt = endOf(made);
  return { kind: 'logged-in', tools: second.tools, isSaved, ...pick({ endsAt }, 'endsAt') };
}

/** Whether the server has metadata about logins. Some servers want a login for calls only. */
async function offersLogin(context: LoginContext, signal: AbortSignal): Promise<boolean> {
  const { discoverOAuthProtectedResourceMetadata } = await importSdk();
  try {
    const fetchFn = authorizationFetch(context, true);
    await discoverOAuthProtectedResourceMetadata(context.entry.url, {}, fetchFn);
    return true;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** What a server did when a client connected once. */
type ProbeOutcome =
  | { readonly kind: 'open'; readonly tools: number }
  /** It wants a login. `challenge` is its answer, if it was seen. */
  | { readonly kind: 'login-needed'; readonly challenge: Response | undefined }
  | ({ readonly kind: 'failed' } & Failure);

/**
 * Connects to a server once, counts its tools, and ends the connection. Without `auth`, to see whether it wants
 * a login. Rejects if the signal aborts.
 */
async function visit(
  server: string,
  entry: HttpServerEntry,
  limits: Required<Pick<OpenConnectionOptions, 'signal' | 'timeout'>>,
  auth?: HttpAuth,
): Promise<ProbeOutcome> {
  const { UnauthorizedError } = await importSdk();
  let challenge: Response | undefined;
  const none: HttpAuth = {
    secrets: entry.secrets,
    token: async () => undefined,
    onUnauthorized: async ({ response }) => {
      challenge = response;
      throw new UnauthorizedError();
    },
    rejected: () => {},
  };
  try {
    const live = await openConnection(entry, { ...limits, authProvider: auth ?? none });
    const tools = live.listing.tools.length;
    await live.close();
    return { kind: 'open', tools };
  } catch (error) {
    limits.signal.throwIfAborted();
    if (!(error instanceof ConnectError)) throw error;
    await error.cleanedUp;
    return loginNeeded(server, error.cause)
      ? { kind: 'login-needed', challenge }
      : { kind: 'failed', ...error.failure };
  }
}

/**
 * Whether an error of the SDK, or one of its causes, says that a server needs a login; otherwise
 * `undefined`. `auth` is the authentication that the request used.
 */
export function loginNeeded(
  server: string,
  error: unknown,
  auth?: LoginAuth,
): LoginNeeded | undefined {
  const remedy = loginAdvice(server);
  let current = error;
  for (let depth = 0; depth < 5 && current !== undefined; depth++) {
    if (ownProperty(current, 'name') === 'UnauthorizedError') {
      const url = auth?.authorizationUrl;
      return { reason: 'it needs a login', remedy, ...pick({ url }, 'url') };
    }
    if (ownProperty(current, 'code') === 'CLIENT_HTTP_AUTHENTICATION') {
      return { reason: 'it refuses the token of its login', remedy };
    }
    if (ownProperty(current, 'name') === 'InsufficientScopeError') {
      const scope = String(ownProperty(current, 'requiredScope') ?? '');
      const named = plainLine(scopesOf(scope).join(' '), 500);
      // The login remembers the scope that the server named.
      if (named !== '') return { reason: `its login does not have the scope ${named}`, remedy };
      const reason = 'its login lacks a scope that the server does not name';
      return { reason, remedy: `${remedy} --scope SCOPE` };
    }
    current = current instanceof Error ? current.cause : undefined;
  }
  return undefined;
}
