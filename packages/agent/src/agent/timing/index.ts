export { Deadline } from './deadline.ts';
export { agentGrace, engineGrace, TOOL_GRACE } from './grace.ts';
