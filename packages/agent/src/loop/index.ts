export { closeLost } from './break-off.ts';
export { CallLog, closedMessages, closings } from './call-log.ts';
export { compact } from './compact.ts';
export { type AgentContext, systemKey, systemText } from './context.ts';
export { applyAnswers, decide, decideUnknown, isAnswered } from './decide.ts';
export { budgetFor, roundsFor } from './rounds.ts';
export { runTurn, type TurnPlan } from './run-turn.ts';
export { sideRequest } from './side-request.ts';
