import type { Transport } from '@modelcontextprotocol/client';
import type { ToolfoldSettings } from '@toolfold/config/internal/settings';
import type { ToolLists } from '../clients/index.ts';

/** Which revisions of the protocol are spoken: any, those before 2026-07-28, or only this one. */
export type Protocol = 'auto' | 'legacy' | '2026-07-28';

/** How a server is started, used and stopped. Every field has a default. Times in milliseconds. */
export interface Lifecycle {
  /** Do not stop the server when nobody uses it. */
  readonly keepAlive?: boolean;
  /** Each session of a host has a connection of its own, as for a browser. */
  readonly perSession?: boolean;
  /** Stop the server after this time without a call. */
  readonly idleTime?: number;
  /** Time for starting and listing together. */
  readonly startTimeout?: number;
  /** Time for a call. Each notice of progress begins it again. */
  readonly callTimeout?: number;
  /** Time for a call in all, however often its progress is reported. */
  readonly maxCallTime?: number;
  /** Times for the calls of tools, by glob of their bare names. The last glob that matches counts. */
  readonly toolTimeouts?: readonly (readonly [glob: string, milliseconds: number])[];
  readonly protocol?: Protocol;
  /** Maximum calls at once. Further calls wait. */
  readonly maxCalls?: number;
}

/** What all entries of usable servers have. */
interface UsableServer {
  /**
   * Secret texts that must never be shown: values of `env`, headers and filled-in variables, values of
   * arguments with names of keys, and keys in addresses. They are removed from failures, warnings,
   * captures and error results, but not from the results of tools.
   */
  readonly secrets: readonly string[];
  readonly lifecycle?: Lifecycle;
  /** Which of its tools are offered. Left out: all. The others are neither listed nor called. */
  readonly tools?: ToolLists;
}

/** A server that runs as a child process and communicates over its stdin and stdout. */
export interface StdioServerEntry extends UsableServer {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  /** Names of variables of this process that the server gets too. A name may end with `*`. */
  readonly passEnv?: readonly string[];
  readonly cwd?: string;
}

/** The key `oauth` of a server's entry. */
export interface OAuthEntry {
  /** `authorization-code`: a person logs in with a browser. `client-credentials`: the program itself does. */
  readonly grant: 'authorization-code' | 'client-credentials';
  /** The id of a registered client. Without it, a login registers one. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** A private key in PEM (PKCS #8). It signs the client's requests instead of a secret. */
  readonly privateKey?: string;
  /** The algorithm of `privateKey`, for example ES256. Default: RS256. */
  readonly algorithm?: string;
  /** The scopes to ask for. If it is empty, the server says which. */
  readonly scopes: readonly string[];
  /** The port on 127.0.0.1 for the browser's answer. Default: any free port. */
  readonly redirectPort?: number;
  /** The HTTPS address of a document that describes the client, for servers that accept it as client id. */
  readonly clientMetadataUrl?: string;
  /** The issuer that the client is registered with. Credentials go to no other. */
  readonly issuer?: string;
}

/** A server reached by URL: streamable HTTP, or the older HTTP with SSE if the entry says so. */
export interface HttpServerEntry extends UsableServer {
  readonly kind: 'http' | 'sse';
  readonly url: string;
  readonly headers: ReadonlyMap<string, string>;
  /** How to log in. Without it, the server's own metadata decides. Unused with an `Authorization` header. */
  readonly oauth?: OAuthEntry;
}

/** A server that the host connects to, for example in memory. A configuration file never produces one. */
export interface TransportServerEntry extends UsableServer {
  readonly kind: 'transport';
  readonly transport: Transport;
}

/** An entry that cannot be used. The other servers of the file are not affected. */
export interface UnusableServerEntry {
  readonly kind: 'unusable';
  readonly reason: string;
  readonly remedy: string;
}

export type ServerEntry =
  | StdioServerEntry
  | HttpServerEntry
  | TransportServerEntry
  | UnusableServerEntry;

/** An entry that names a server. */
export type UsableEntry = Exclude<ServerEntry, UnusableServerEntry>;

/** The content of a configuration file, with the servers in the order of the file. */
export interface ToolfoldConfig {
  readonly file: string;
  readonly servers: ReadonlyMap<string, ServerEntry>;
  /** Names of servers that the files of the client disable; they are not in `servers`. */
  readonly disabled: readonly string[];
  /** Names of servers that are left out, because the user has not said yes to them. Absent: none. */
  readonly untrusted?: readonly string[];
  /** Lines about keys of entries that have no effect. */
  readonly remarks?: readonly string[];
  /** `undefined` if the file has no `toolfold` block. */
  readonly settings: ToolfoldSettings | undefined;
}
