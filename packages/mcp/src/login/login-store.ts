import { createHash } from 'node:crypto';
import { mkdir, open, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import {
  readPrivate,
  removePrivate,
  userFolder,
  writePrivate,
} from '@toolfold/config/internal/files';
import * as z from '@toolfold/config/internal/schemas.ts';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { isRecord, oncePerKey, ownProperty, parsedJson } from '@toolfold/core/internal/values';

/** Where logins are kept, and who hears about problems with that. */
export interface LoginStoreOptions {
  /** The folder of the logins. Default: `logins` in the user's data folder. */
  readonly folder?: string;
  /** Called with a text for people when a login cannot be read or saved. It has no secrets. */
  readonly onWarning?: (warning: string) => void;
}

/**
 * Logins of this process that could not be saved, by file. All stores of the process use them, so that a
 * login also works for connections that were made before.
 */
const unsaved = new Map<string, StoredLogin>();

/** The changes by this process, by file. After one, what a store has read is not recent any more. */
const changes = new Map<string, number>();

/** Milliseconds for which a login that was read counts as recent. A server refuses a token that is not valid any more. */
const RECENT = 1000;

/**
 * The login at one server, in a file that only the user can read. What cannot be read counts as no
 * login. What cannot be saved is kept for this process.
 */
export class LoginStore {
  readonly file: string;
  readonly #owner: LoginOwner;
  readonly #once: (key: string, text: string) => void;
  #last: { login: StoredLogin; at: number; change: number | undefined } | undefined;

  constructor(owner: LoginOwner, { folder, onWarning = () => {} }: LoginStoreOptions) {
    const base = folder ?? join(userFolder('data'), 'logins');
    const identity = JSON.stringify([owner.server, owner.url]);
    const name = createHash('sha256').update(identity).digest('hex').slice(0, 32);
    this.file = join(base, `${name}.json`);
    this.#owner = owner;
    this.#once = oncePerKey(onWarning);
  }

  /** The current login, also if another process has changed it. Empty if there is none. Never rejects. */
  async read(): Promise<StoredLogin> {
    const change = changes.get(this.file);
    const at = performance.now();
    const login = await this.#load();
    this.#last = { login, at, change };
    return login;
  }

  async #load(): Promise<StoredLogin> {
    const kept = unsaved.get(this.file);
    if (kept !== undefined) return kept;
    let text: string | undefined;
    try {
      text = await readPrivate(this.file);
    } catch (error) {
      this.#warn(`cannot be used: its file cannot be read (${errorMessage(error)})`);
    }
    if (text === undefined) return {};
    const parsed = parseLogin(text, this.#owner);
    if ('login' in parsed) return parsed.login;
    this.#warn(`cannot be used: ${parsed.problem} (${this.file})`);
    return {};
  }

  /** As `read`, but the login may be as old as a second if another process has changed it. */
  async readRecent(): Promise<StoredLogin> {
    const change = changes.get(this.file);
    const last = this.#last;
    const isRecent = last?.change === change && performance.now() - (last?.at ?? 0) < RECENT;
    return isRecent && last ? last.login : this.read();
  }

  /** Saves a login. If that fails, keeps it for this process and returns false. Never rejects. */
  async write(login: StoredLogin): Promise<boolean> {
    try {
      await writePrivate(this.file, formatLogin(login, this.#owner));
      unsaved.delete(this.file);
      return true;
    } catch (error) {
      unsaved.set(this.file, login);
      this.#warn(`could not be saved and ends with this process (${errorMessage(error)})`);
      return false;
    } finally {
      this.#changed();
    }
  }

  /** Removes the login. Returns whether there was a file. Rejects if the file cannot be removed. */
  async remove(): Promise<boolean> {
    unsaved.delete(this.file);
    return removePrivate(this.file).finally(() => this.#changed());
  }

  #changed(): void {
    changes.set(this.file, (changes.get(this.file) ?? 0) + 1);
  }

  #warn(problem: string): void {
    const warning = `The login of ${this.#owner.server} ${problem}.`;
    this.#once(warning, warning);
  }
}

/** The version of the file format. Older programs do not read newer files. */
const VERSION = 1;

/** Milliseconds before the end of a token when it is refreshed. */
const MARGIN = 60_000;

/** A login whose answer is not there yet. */
export interface PendingLogin {
  /** Where the person logs in. */
  readonly url: string;
  readonly state: string;
  readonly codeVerifier: string;
  readonly redirectUrl: string;
}

/** What is kept about the login at one server. Every part can be absent. */
export interface StoredLogin {
  /** The client, with the issuer that it is registered with. Without the secret of the configuration. */
  readonly client?: StoredOAuthClientInformation;
  /** The tokens, with their issuer. */
  readonly tokens?: StoredOAuthTokens;
  /** When the tokens were received, in milliseconds since 1970. */
  readonly receivedAt?: number;
  /** The metadata of the server and of its authorization server. */
  readonly discovery?: OAuthDiscoveryState;
  readonly pending?: PendingLogin;
  /** Scopes that the server missed in a request. The next login asks for them. */
  readonly wantedScope?: string;
}

const PARTS = z.partial(
  z.object({
    client: z.object({ client_id: z.string(), issuer: z.string() }),
    tokens: z.object({
      ...{ access_token: z.string(), token_type: z.string(), issuer: z.string() },
      refresh_token: z.optional(z.string()),
      expires_in: z.optional(z.number()),
      scope: z.optional(z.string()),
    }),
    receivedAt: z.number(),
    discovery: z.object({
      authorizationServerUrl: z.string(),
      authorizationServerMetadata: z.optional(
        z.object({ issuer: z.string(), token_endpoint: z.string() }),
      ),
      resourceMetadata: z.optional(z.object({ resource: z.string() })),
    }),
    pending: z.object({
      ...{ url: z.string(), state: z.string() },
      ...{ codeVerifier: z.string(), redirectUrl: z.string() },
    }),
    wantedScope: z.string(),
  }),
);

/** The server that a login belongs to. */
interface LoginOwner {
  readonly server: string;
  readonly url: string;
  /** The client id of the configuration, if it has one. */
  readonly clientId?: string;
}

/** A login, or why the text of a file holds none. */
type ParsedLogin = { readonly login: StoredLogin } | { readonly problem: string };

/** The text of a login's file. */
export function formatLogin(login: StoredLogin, { server, url }: LoginOwner): string {
  return `${JSON.stringify({ version: VERSION, server, url, ...login }, null, 2)}\n`;
}

/** Reads the text of a login's file. Never throws. */
export function parseLogin(text: string, owner: LoginOwner): ParsedLogin {
  const value = parsedJson(text);
  const version = ownProperty(value, 'version');
  if (typeof version === 'number' && version > VERSION) {
    return { problem: 'its file was written by a newer version of Toolfold' };
  }
  if (!isRecord(value) || version !== VERSION) return { problem: 'its file is damaged' };
  const { version: _, server, url, ...parts } = value;
  if (server !== owner.server || url !== owner.url) {
    return { problem: 'its file belongs to another server' };
  }
  if (!PARTS.safeParse(parts).success) return { problem: 'its file is damaged' };
  const login = parts as StoredLogin;
  return isOfOneIssuer(login, owner) ?? { login };
}

/** Credentials of one issuer must not be used with the metadata of another. */
function isOfOneIssuer(login: StoredLogin, { clientId }: LoginOwner): ParsedLogin | undefined {
  const { client, tokens, discovery } = login;
  if (clientId !== undefined && client !== undefined && client.client_id !== clientId) {
    return { problem: 'it was made with another client id' };
  }
  if (tokens === undefined) return undefined;
  const issuers = [tokens.issuer, client?.issuer, discovery && issuerOf(discovery)];
  if (issuers.every((issuer) => issuer === tokens.issuer)) return undefined;
  return { problem: 'its file mixes several issuers' };
}

/** The issuer of tokens that were received with this metadata. */
export function issuerOf(discovery: OAuthDiscoveryState): string {
  return discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl;
}

/** Whether the access token ends soon or has ended. A token without a known end never does. */
export function isEnding({ tokens, receivedAt }: StoredLogin, now: number): boolean {
  if (tokens?.expires_in === undefined || receivedAt === undefined) return false;
  const lifetime = tokens.expires_in * 1000;
  // A token that lives for less than two minutes would otherwise be refreshed for every request.
  return now >= receivedAt + lifetime - Math.min(MARGIN, lifetime / 2);
}

/** When the access token ends, in milliseconds since 1970; `undefined` if that is unknown. */
export function endOf({ tokens, receivedAt }: StoredLogin): number | undefined {
  if (tokens?.expires_in === undefined || receivedAt === undefined) return undefined;
  return receivedAt + tokens.expires_in * 1000;
}

/** Milliseconds after which a lock counts as left behind. */
const STALE_AFTER = 15_000;

/** Milliseconds between two signs of life of a process that holds a lock. */
const SIGN_OF_LIFE = 3000;

/** Milliseconds between two attempts. */
const PAUSE = 50;

/** Attempts to get a lock, for a minute. After that the work runs without it. */
const MAX_ATTEMPTS = 1200;

/**
 * Runs work that only one process may do at a time. The lock is a file beside `file`. Where no such file can
 * be made, and after a minute of waiting, the work runs without a lock.
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  const isLocked = await acquire(lock);
  const touch = (): void => void utimes(lock, new Date(), new Date()).catch(() => {});
  const timer = isLocked ? setInterval(touch, SIGN_OF_LIFE) : undefined;
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (isLocked) await rm(lock, { force: true }).catch(() => {});
  }
}

async function acquire(lock: string): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
      await (await open(lock, 'wx', 0o600)).close();
      return true;
    } catch (error) {
      if (ownProperty(error, 'code') !== 'EEXIST') return false;
    }
    if (await isStale(lock)) await rm(lock, { force: true }).catch(() => {});
    await delay(PAUSE);
  }
  return false;
}

async function isStale(lock: string): Promise<boolean> {
  try {
    return Math.abs(Date.now() - (await stat(lock)).mtimeMs) > STALE_AFTER;
  } catch {
    // The lock was released in the meantime.
    return false;
  }
}
