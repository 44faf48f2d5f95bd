export { AgentMaker, type AgentMakerOptions, agentIn } from './agent-maker.ts';
export { whatDiffers } from './differences.ts';
export { type AgentSetUp, readSetUp, withPauses } from './set-up.ts';
export {
  type PartialChoices,
  quoted,
  Settings,
  storedWayBack,
  type WayBack,
  wayBackTo,
} from './settings.ts';
export {
  allowed,
  foldOf,
  isSevere,
  plannedTeam,
  remarksOn,
  serverRemarks,
  teamOf,
} from './tools.ts';
