import type { Transport } from '@modelcontextprotocol/client';
import type { ToolfoldSettings } from '../../config/index.ts';
import type { Lifecycle } from './lifecycle.ts';

/** A server that runs as a child process and communicates over its stdin and stdout. */
export interface StdioServerEntry {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly cwd?: string;
  /**
   * Secret texts that must never be shown: values of `env`, headers and filled-in variables, values of
   * arguments with names of keys, and keys in addresses. They are removed from failures, warnings,
   * captures and error results, but not from the results of tools.
   */
  readonly secrets: readonly string[];
  readonly lifecycle?: Lifecycle;
}

/** A server reached by URL: streamable HTTP, or the older HTTP with SSE if the entry says so. */
export interface HttpServerEntry {
  readonly kind: 'http' | 'sse';
  readonly url: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly secrets: readonly string[];
  readonly lifecycle?: Lifecycle;
}

/** A server that the host connects to, for example in memory. A configuration file never produces one. */
export interface TransportServerEntry {
  readonly kind: 'transport';
  readonly transport: Transport;
  readonly secrets: readonly string[];
  readonly lifecycle?: Lifecycle;
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

/** The content of a configuration file, with the servers in the order of the file. */
export interface ToolfoldConfig {
  readonly file: string;
  readonly servers: ReadonlyMap<string, ServerEntry>;
  /** Names of servers whose entry says `"disabled": true`; they are not in `servers`. */
  readonly disabled: readonly string[];
  /** `undefined` if the file has no `toolfold` block. */
  readonly settings: ToolfoldSettings | undefined;
}
