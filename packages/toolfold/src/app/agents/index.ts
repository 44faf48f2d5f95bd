export { type AgentSetUp, readSetUp, withPauses } from './set-up.ts';
export { plannedTeam, teamOf } from './subagents.ts';
export {
  allowed,
  foldOf,
  isSevere,
  remarksOn,
  serverRemarks,
} from './tools.ts';
