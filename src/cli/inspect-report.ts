import type { ServerStatus } from '../mcp/index.ts';

/** Tokens of a first request under one strategy, and how much of the tools it shows. */
export interface StrategyCost {
  readonly total: number;
  readonly inline?: number;
  readonly bridges?: number;
  readonly catalog?: number;
  readonly namesVisible?: number;
  readonly namesTotal?: number;
  readonly groupsVisible?: number;
}

/** A server's row with the tokens of its tools' schemas. */
export interface ServerReport extends Omit<ServerStatus, 'state'> {
  readonly state: 'ready' | 'failed';
  readonly tokens: number;
}

/** What `toolfold inspect --json` prints. */
export interface InspectReport {
  /** The file or folder the servers came from. */
  readonly source: string;
  readonly counter: string;
  readonly contextWindow?: number;
  readonly servers: readonly ServerReport[];
  readonly totals: { readonly tools: number; readonly schemaTokens: number };
  readonly strategies: Readonly<Record<string, StrategyCost>>;
  readonly auto: { readonly strategy: string; readonly reason: string };
}
