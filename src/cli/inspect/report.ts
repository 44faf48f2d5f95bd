import type { ServerStatus } from '../../mcp/index.ts';
import type { Measurement } from '../../tools/estimate/index.ts';
import type { DeferredToolGroup } from '../../tools/index.ts';
import type { ModelReport } from './model.ts';

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

/** What `toolfold inspect --json` prints; with `--model`, what it says of the model too. */
export interface InspectReport extends Partial<ModelReport> {
  /** The file or folder the servers came from. */
  readonly source: string;
  readonly counter: string;
  readonly contextWindow?: number;
  readonly servers: readonly ServerReport[];
  readonly totals: { readonly tools: number; readonly schemaTokens: number };
  readonly strategies: Readonly<Record<string, StrategyCost>>;
  readonly auto: { readonly strategy: string; readonly reason: string };
}

export interface InspectReportInputs {
  readonly source: string;
  readonly counter: string;
  readonly contextWindow?: number | undefined;
  readonly servers: readonly ServerStatus[];
  /** One per server, in the same order. */
  readonly groups: readonly DeferredToolGroup[];
  readonly measured: Measurement;
}

/** Joins what is known of servers with what was measured of their tools. */
export function inspectReport(inputs: InspectReportInputs): InspectReport {
  const { source, counter, contextWindow, servers, groups, measured } = inputs;
  const tokens = new Map(measured.groups.map((group) => [group.groupId, group.tokens]));
  return {
    source,
    counter,
    contextWindow,
    servers: servers.map((server, index) => ({
      ...server,
      state: server.state === 'ready' ? 'ready' : 'failed',
      tokens: tokens.get(groups[index]?.groupId ?? '') ?? 0,
    })),
    totals: measured.totals,
    strategies: measured.strategies,
    auto: measured.auto,
  };
}
