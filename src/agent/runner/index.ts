export { AgentState } from './agent-state.ts';
export { COMPACTED, compact, dueCompaction } from './compact.ts';
export { configured, withSettings } from './configured.ts';
export { applyAnswers, decide } from './decide.ts';
export { type SideModel, sampleWith, sideRequest } from './side-request.ts';
export { SystemText, systemKey } from './system-text.ts';
export { type TurnPlan, TurnRunner } from './turn-runner.ts';
export type { AgentContext } from './turn-settings.ts';
