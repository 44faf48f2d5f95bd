export { type BeginChild, type WorkerOptions, workWith } from './child.ts';
export { Team } from './team.ts';
export { unknownCalls } from './unknown-calls.ts';
export { WITHHELD } from './withheld.ts';
