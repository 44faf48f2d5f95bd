import type { JsonObject } from '../values/index.ts';
import type { Exposure, Tool } from './tool.ts';

/** A tool as it is known before its schema is: enough for catalog hints and for search. */
export interface ToolSummary {
  readonly name: string;
  readonly description?: string;
  /** MCP `_meta`, for the signals that decide where the tool goes. */
  readonly meta?: JsonObject;
  readonly exposure?: Exposure;
}

/** Tools that stay out of the prompt until they are needed: one MCP server, one plugin, one module. */
export interface DeferredToolGroup {
  /** Unique, e.g. `mcp:github`; without `mcp:` it becomes the prefix of its tools, see `groupSlug`. */
  readonly groupId: string;
  readonly displayName?: string;
  readonly description?: string;
  /** Bare names for the catalog. Left out, they are known once the group has loaded; `onWarning` says so. */
  readonly toolNames?: readonly string[];
  /** One line each for hints and search, where the source knows them without loading. */
  readonly toolSummaries?: readonly ToolSummary[];
  /** Tokens of all its schemas where the source knows them; otherwise estimated from the names. */
  readonly schemaTokens?: number;
  /**
   * Returns the tools. Called at most once per layer until `fingerprint` changes or the group is
   * refreshed; parallel callers share one call; a failure is not cached. Should honour `signal`.
   */
  readonly loader: (options: { readonly signal: AbortSignal }) => Promise<readonly Tool[]>;
  /** Changes when what the loader returns changes. */
  readonly fingerprint?: string;
  /** `false` leaves names bare; a clash is then an error at creation. */
  readonly prefix?: boolean;
  /** Annotations of the group's tools are believed only if this is true. */
  readonly trusted?: boolean;
  readonly exposure?: Exposure;
  /**
   * `mcp`: what the group's tools return is an MCP `CallToolResult`, of which models are shown the
   * content. Left out, models are shown what the tools return, whatever its shape.
   */
  readonly resultFormat?: 'mcp';
  /** The group exists but cannot be used now; shown in the catalog with the remedy. */
  readonly unavailable?: { readonly reason: string; readonly remedy?: string };
}

/** Where the app's own tools stand in a catalog and in a state; no group may be called so. */
export const OWN_GROUP = 'the app';
