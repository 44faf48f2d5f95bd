import type { Transport } from '@modelcontextprotocol/client';
import type { ToolfoldSettings } from '../../config/index.ts';

/** A server that is started as a child process and spoken to over its stdin and stdout. */
export interface StdioServerEntry {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly cwd?: string;
  /**
   * Texts that must never be shown, in every form: values of `env`, of headers, of variables filled
   * in and of arguments that are named like keys, and keys in addresses. They are taken out of
   * failures, warnings, captures and results that are errors, not out of what a tool returns.
   */
  readonly secrets: readonly string[];
}

/** A server reached by URL: streamable HTTP, or the older HTTP with SSE where the entry says so. */
export interface HttpServerEntry {
  readonly kind: 'http' | 'sse';
  readonly url: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly secrets: readonly string[];
}

/** A server the host reaches by itself, in memory for one; never the outcome of reading a file. */
export interface TransportServerEntry {
  readonly kind: 'transport';
  readonly transport: Transport;
  readonly secrets: readonly string[];
}

/** An entry that cannot be started; the other servers of the file are unaffected. */
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

/** A configuration file as read; servers in the order of the file. */
export interface ToolfoldConfig {
  readonly file: string;
  readonly servers: ReadonlyMap<string, ServerEntry>;
  /** Names of servers whose entry says `"disabled": true`; they are not in `servers`. */
  readonly disabled: readonly string[];
  /** `undefined` where the file has no `toolfold` block. */
  readonly settings: ToolfoldSettings | undefined;
}
