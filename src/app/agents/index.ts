export { isSevere, serverRemarks } from './server-remarks.ts';
export { type AgentSetUp, readSetUp } from './set-up.ts';
export { teamOf } from './subagents.ts';
export { type AgentServerOptions, allowed, foldOf, openAgentServers } from './tools.ts';
