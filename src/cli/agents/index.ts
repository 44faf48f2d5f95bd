export { agentOf, allowed } from './agent.ts';
export { apiKeys } from './api-keys.ts';
export { withKeyAdvice } from './key-advice.ts';
export { type LoadedModel, noModel } from './model.ts';
export { remarksOn, serverRemarks } from './server-remarks.ts';
export { type AgentSetUp, readSetUp, shortPath } from './set-up.ts';
export type { AgentTeam } from './subagents.ts';
export { type AgentServers, foldOf, openAgentServers, teamOf } from './tools.ts';
