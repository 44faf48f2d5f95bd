export { type AgentSetUp, readSetUp } from './set-up.ts';
export { teamOf } from './subagents.ts';
export {
  type AgentServerOptions,
  allowed,
  foldOf,
  isSevere,
  openAgentServers,
  serverRemarks,
} from './tools.ts';
