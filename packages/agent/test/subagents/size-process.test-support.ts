/**
 * Many tasks in a process of its own, with `--expose-gc`: the arguments are the model's address, the
 * folder of the parts and the number of turns; what became of them is written to standard output.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { createFold } from '@toolfold/ai-sdk';
import { ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { createAgent } from '../../src/agent/agent.ts';
import { createSubagents } from '../../src/tasks/tool.ts';
import { collect, ended } from '../agent.test-support.ts';
import { startRealServers } from './real-servers.test-support.ts';
import { endsIn, reportIn } from './team.test-support.ts';

/** The output of the process. */
export interface Outcome {
  readonly turns: readonly {
    readonly reason: string;
    readonly report: ReturnType<typeof reportIn>;
    readonly ends: Readonly<Record<string, string>>;
    /** Used memory in bytes after the turn and a garbage collection. */
    readonly memory: number;
  }[];
  /** Maximum parallel tool runs. */
  readonly mostRuns: number;
  /** Resources that keep the process alive after everything was closed. */
  readonly resources: readonly string[];
}

const [baseUrl = '', folder = '', turns = '1'] = process.argv.slice(2);
const model = ENDPOINTS[0]?.model(baseUrl);
if (!model || !gc) throw new Error('There is no model, or no way to collect garbage.');
const outcome: { -readonly [K in keyof Outcome]: Outcome[K] } = {
  turns: [],
  mostRuns: 0,
  resources: [],
};
{
  await using servers = await startRealServers(folder);
  const subagents = createSubagents({ wide: true });
  const agent = createAgent({
    model,
    fold: createFold({ groups: servers.groups, tools: subagents.tools, strategy: 'dispatch' }),
    subagents,
    approvals: { mode: 'never' },
    routing: 'off',
  });
  for (let n = 0; n < Number(turns); n++) {
    const events = await collect(agent.send('Go on.'));
    const { reason } = ended(events);
    const [report, ends] = [reportIn(events), endsIn(events)];
    events.length = 0;
    const memory = await memoryInUse(gc);
    outcome.turns = [...outcome.turns, { reason, report, ends, memory }];
  }
  outcome.mostRuns = servers.runs.most;
}
outcome.resources = process.getActiveResourcesInfo();
process.stdout.write(JSON.stringify(outcome));

/** Weakly held objects are released in a separate turn of the event loop. */
async function memoryInUse(collectGarbage: NonNullable<typeof gc>): Promise<number> {
  for (let n = 0; n < 4; n++) {
    await turn();
    collectGarbage();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
