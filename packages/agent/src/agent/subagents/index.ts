export { type WorkerOptions, workWith } from './child.ts';
export { Team, type TeamParts } from './team.ts';
export { unknownCalls } from './unknown-calls.ts';
export { WITHHELD } from './withheld.ts';
