export { closeLost } from './break-off.ts';
export { compact } from './compact.ts';
export { runTurn, type TurnPlan } from './run-turn.ts';
export { sideRequest } from './side-request.ts';
