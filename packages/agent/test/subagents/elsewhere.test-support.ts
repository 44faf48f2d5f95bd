import { parentPort, workerData } from 'node:worker_threads';
import { createFold } from '@toolfold/ai-sdk';
import { ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { foldOptions } from '@toolfold/ai-sdk/test/folds.test-support.ts';
import { createWorker } from '../../src/agent/agent.ts';
import type { AgentFold } from '../../src/options/options.ts';
import { createInProcessEngine } from '../../src/subagents/in-process.ts';
import type { Batch, BatchRun, EngineCommand, EngineUpdate, Work } from '../../src/tasks/engine.ts';
import { createSubagents } from '../../src/tasks/tool.ts';

/** A message to a worker thread, as a line of JSON. */
export interface ToThread {
  /** The batch of the message. Several batches may run. */
  readonly run: number;
  readonly message: { readonly type: 'start'; readonly batch: Batch } | EngineCommand;
}

/** A message from a worker thread, as a line of JSON. */
export interface FromThread {
  readonly run: number;
  readonly message: EngineUpdate | { readonly type: 'finished' };
}

/** Runs tasks in a worker thread with its own fold. All input from outside is JSON. */
if (parentPort && workerData?.baseUrl) {
  const port = parentPort;
  const ask = { beforeToolCall: () => ({ ask: true }) };
  const subagents = createSubagents(workerData.asks === true ? { hooks: ask } : {});
  const given = foldOptions([]);
  const options = { ...given, tools: { ...given.tools, ...subagents.tools } };
  const fold = createFold(options as Parameters<typeof createFold>[0]) as AgentFold;
  const [endpoint] = ENDPOINTS;
  const work: Work = createWorker({
    subagents,
    fold,
    model: endpoint?.model(workerData.baseUrl) ?? 'none',
    inherited: {
      routing: 'off',
      settings: { maxRetries: 0 },
      approvals: { mode: workerData.asks === true ? 'never' : 'annotations' },
    },
  });
  const engine = createInProcessEngine(work);
  const runs = new Map<number, BatchRun>();
  port.on('message', (line: string) => {
    const { run, message } = JSON.parse(line) as ToThread;
    if (message.type !== 'start') return runs.get(run)?.send(message);
    const say = (message: FromThread['message']) =>
      port.postMessage(JSON.stringify({ run, message }));
    const started = engine.start(message.batch, say);
    runs.set(run, started);
    void started.finished.then(() => {
      runs.delete(run);
      say({ type: 'finished' });
    });
  });
}
