export { type WorkerOptions, workWith } from './child.ts';
export { createInProcessEngine } from './in-process.ts';
export { Team, type TeamParts, WITHHELD } from './team.ts';
export { unknownCalls } from './unknown-calls.ts';
