import type { DeferredToolGroup } from '@toolfold/core/internal/tools';
import type { Measurement } from '@toolfold/core/internal/tools/estimate';
import type { ServerStatus, ToolfoldConfig } from '@toolfold/mcp/internal/mcp';
import type { ModelReport } from './model.ts';

/** A server's row with the tokens of its tools' schemas. */
export interface ServerReport extends Omit<ServerStatus, 'state'> {
  readonly state: 'ready' | 'failed';
  readonly tokens: number;
}

/** The output of `toolfold inspect --json`, with the estimate if `--model` is given. */
export interface InspectReport extends Partial<ModelReport> {
  /** The file or folder that lists the servers. */
  readonly source: string;
  readonly counter: string;
  readonly contextWindow?: number;
  readonly servers: readonly ServerReport[];
  readonly totals: Measurement['totals'];
  /** Empty if there is nothing to compare. */
  readonly strategies: Partial<Measurement['strategies']>;
  /** Absent if there is nothing to compare. */
  readonly auto?: Measurement['auto'];
  /** Why there is nothing to compare. Absent if there is a comparison. */
  readonly problem?: string;
}

/** What is inspected. */
export interface Inspected {
  readonly source: string;
  readonly servers: readonly ServerStatus[];
  /** One per server, in the same order. */
  readonly groups: readonly DeferredToolGroup[];
  readonly config?: ToolfoldConfig;
}

/** Combines the states of the servers with the measurement of their tools. */
export function inspectReport(
  { source, servers, groups }: Inspected,
  measured: Measurement,
  counted: Pick<InspectReport, 'counter' | 'contextWindow'>,
): InspectReport {
  const isReady = servers.some(({ state }) => state === 'ready');
  const what = isReady ? 'No ready server has a tool that models may use' : 'No server is ready';
  const problem =
    measured.totals.tools === 0 ? `${what}, so there is nothing to compare.` : undefined;
  const tokens = new Map(measured.groups.map((group) => [group.groupId, group.tokens]));
  return {
    ...{ source, ...counted },
    servers: servers.map((server, index) => ({
      ...server,
      state: server.state === 'ready' ? 'ready' : 'failed',
      tokens: tokens.get(groups[index]?.groupId ?? '') ?? 0,
    })),
    totals: measured.totals,
    ...(problem === undefined
      ? { strategies: measured.strategies, auto: measured.auto }
      : { strategies: {}, problem }),
  };
}
