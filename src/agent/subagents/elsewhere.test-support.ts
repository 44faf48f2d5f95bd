import { parentPort, workerData } from 'node:worker_threads';
import { ENDPOINTS } from '../../ai-sdk/endpoints.test-support.ts';
import { foldOptions } from '../../ai-sdk/folds.test-support.ts';
import { createFold } from '../../ai-sdk/index.ts';
import type { AgentFold } from '../agent-options.ts';
import type { Batch, BatchRun, EngineCommand, Work } from './engine.ts';
import { createInProcessEngine } from './in-process.ts';
import { createSubagents } from './tool.ts';
import { createWorker } from './worker.ts';

/** What goes to a worker thread, and what comes back, as lines of JSON. */
export type ToThread =
  | { readonly type: 'start'; readonly batch: Batch }
  | { readonly type: 'command'; readonly command: EngineCommand };

/** Does tasks in a thread of its own, with a fold of its own and everything from outside as JSON. */
if (parentPort && workerData?.baseUrl) {
  const port = parentPort;
  const subagents = createSubagents();
  const given = foldOptions([]);
  const options = { ...given, tools: { ...given.tools, ...subagents.tools } };
  const fold = createFold(options as Parameters<typeof createFold>[0]) as AgentFold;
  const [endpoint] = ENDPOINTS;
  const work: Work = createWorker({
    subagents,
    fold,
    model: endpoint?.model(workerData.baseUrl) ?? 'none',
    inherited: { routing: 'off', settings: { maxRetries: 0 } },
  });
  const engine = createInProcessEngine(work);
  const say = (update: object) => port.postMessage(JSON.stringify(update));
  let run: BatchRun | undefined;
  port.on('message', (line: string) => {
    const told = JSON.parse(line) as ToThread;
    if (told.type === 'command') run?.send(told.command);
    if (told.type !== 'start') return;
    run = engine.start(told.batch, say);
    void run.finished.then(() => say({ type: 'finished' }));
  });
}
