/** Measures all ways with a number of servers, and what `auto` would choose. */
import { createFold } from '@toolfold/ai-sdk';
import type { Listings } from '../demo-servers.ts';
import type { Engine } from './engine.ts';
import { localModel, type Outcome, runTask } from './run.ts';
import { serversOf } from './servers.ts';
import { type Cell, outcomeText, type Row, rowOf } from './table.ts';
import { goalsOf, RESULT_LINES, resultOf } from './task.ts';
import type { Way } from './ways.ts';

export interface CellOptions {
  readonly servers: number;
  /** Length of the results: a key of `RESULT_LINES`. */
  readonly results: string;
  readonly ways: readonly Way[];
  readonly runs: number;
}

export async function measureCell(
  engine: Engine,
  listings: Listings,
  { servers: count, results, ways, runs }: CellOptions,
  log: (line: string) => void,
): Promise<Cell> {
  const lines = RESULT_LINES.get(results) ?? 0;
  const servers = serversOf(count, listings, (tool) => resultOf(tool, lines));
  const fold = createFold({ groups: servers.map(({ group }) => group) });
  const { window } = engine;
  const { strategy, reason } = fold.explain(localModel('http://127.0.0.1'), {
    contextWindow: window,
  });
  const rows: Row[] = [];
  for (const way of ways) {
    const outcomes: Outcome[] = [];
    for (let run = 1; run <= runs; run++) {
      log(`Servers: ${count}; results: ${results}; way: ${way}; run ${run} of ${runs}`);
      const outcome = await runTask(engine, way, servers, goalsOf(count));
      log(`  ${outcomeText(outcome)}`);
      outcomes.push(outcome);
    }
    rows.push(rowOf(way, outcomes));
  }
  const tools = servers.reduce((sum, server) => sum + server.tools.length, 0);
  return { servers: count, tools, results, window, rows, auto: { strategy, reason } };
}
