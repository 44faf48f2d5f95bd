import { createAgent } from '../agent.ts';
import { type WorkerOptions, workWith } from './child.ts';
import type { Work } from './engine.ts';

/** What does tasks for an engine, in whichever process it is made: with servers and keys of its own. */
export function createWorker(options: WorkerOptions): Work {
  return workWith(createAgent, options);
}
