export { readOrder, type SharedInput, type SubagentInput, type TaskInput } from './input.ts';
export { limitsOf, type SubagentOptions } from './options.ts';
export { createSubagents, type Subagents } from './tool.ts';
