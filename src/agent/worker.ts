import { invalidOption } from '../errors.ts';
import { isRecord } from '../tools/values/index.ts';
import { createChild } from './agent.ts';
import { checkSubagentTool } from './agent-check.ts';
import type { Work } from './subagents/engine/index.ts';
import { type WorkerOptions, workWith } from './subagents/index.ts';

/**
 * Creates the function that runs tasks for an engine. It can run in another process, with its own
 * servers and keys. Throws `invalid-option`.
 */
export function createWorker(options: WorkerOptions): Work {
  checkWorkerOptions(options);
  return workWith(createChild, options);
}

function checkWorkerOptions(options: WorkerOptions): void {
  if (!isRecord(options))
    throw invalidOption('options', 'an object with subagents, fold and model');
  const { subagents, fold, model, inherited } = options;
  if (typeof fold?.layer?.fingerprintOf !== 'function')
    throw invalidOption('fold', 'what `createFold()` returns');
  checkSubagentTool(subagents, fold);
  const isModel = typeof model === 'string' ? model !== '' : isRecord(model);
  if (!isModel) throw invalidOption('model', 'a model of the AI SDK, or the name of one');
  if (inherited !== undefined && !isRecord(inherited))
    throw invalidOption('inherited', 'an object, or nothing');
}
