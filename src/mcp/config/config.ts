import type { Transport } from '@modelcontextprotocol/client';
import type { ExposureRules, Role } from '../../tools/access/index.ts';
import type { CatalogOptions } from '../../tools/catalog/index.ts';
import type { StrategyChoice } from '../../tools/strategies/index.ts';

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

/** A strategy's name; `false` in the file has become `eager`. */
export type StrategySetting = Exclude<StrategyChoice, false>;

/** What a million tokens cost, in any one unit of money; of the cache where it is not the usual share. */
export interface PriceSettings {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** What the `toolfold` block says of one model; `contextWindow` in tokens. */
export interface ModelSettings {
  readonly maxRounds?: number;
  readonly contextWindow?: number;
  readonly strategy?: StrategySetting;
  readonly price?: PriceSettings;
}

/** A role as the file describes it: what it may use, and how it runs. */
export interface RoleSettings extends Role {
  readonly model?: string;
  readonly maxRounds?: number;
}

/** A subject that keyword routing knows: phrases that speak of it, and globs of its tools. */
export interface CategorySetting {
  readonly words: readonly string[];
  readonly tools: readonly string[];
  /** Phrases that contain such words and mean something else. */
  readonly not?: readonly string[];
}

/** What the words of a turn do to the tools it gets. */
export type RoutingSetting = 'off' | 'preload' | 'narrow';

/** Which calls wait for the user's word; `allow` holds globs of tools that never do. */
export interface ApprovalSettings {
  readonly mode?: 'annotations' | 'always' | 'never';
  readonly allow?: readonly string[];
}

/** How subagents are to be: those of the agent's own options that are plain data. */
export interface SubagentSettings {
  /** Roles that the model may give them. */
  readonly roles?: readonly string[];
  readonly wide?: boolean;
  /** Of each role one begins ahead, until its model answers. */
  readonly warmCache?: boolean;
  readonly concurrency?: number;
  /** In seconds. */
  readonly timeout?: number;
  readonly depth?: number;
  readonly maxRounds?: number;
  readonly instructions?: string;
  /** Globs of tools that they do not have. */
  readonly withhold?: readonly string[];
  /** Bytes of JSON that all results of a call share. */
  readonly resultBytes?: number;
  /** What all of them may spend together; `cost` in the unit that prices are given in. */
  readonly budget?: { readonly tokens?: number; readonly cost?: number };
}

/** The `toolfold` block of a configuration file, checked; absent keys were not set. */
export interface ToolfoldSettings {
  readonly strategy?: StrategySetting;
  readonly exposure?: ExposureRules;
  readonly catalog?: CatalogOptions;
  readonly roles?: Readonly<Record<string, RoleSettings>>;
  /** By name; `false` takes a built-in category away. */
  readonly categories?: Readonly<Record<string, CategorySetting | false>>;
  readonly routing?: RoutingSetting;
  readonly maxRounds?: number;
  readonly models?: ReadonlyMap<string, ModelSettings>;
  readonly approvals?: ApprovalSettings;
  /** `true`: on as they are without settings. */
  readonly subagents?: SubagentSettings | boolean;
  readonly servers?: ReadonlyMap<string, { readonly trusted?: boolean }>;
}

/** A configuration file as read; servers in the order of the file. */
export interface ToolfoldConfig {
  readonly file: string;
  readonly servers: ReadonlyMap<string, ServerEntry>;
  /** Names of servers whose entry says `"disabled": true`; they are not in `servers`. */
  readonly disabled: readonly string[];
  /** `undefined` where the file has no `toolfold` block. */
  readonly settings: ToolfoldSettings | undefined;
}
