export { closeLost } from './close-lost.ts';
export { COMPACTED, compact } from './compact.ts';
export { runTurn, type TurnPlan } from './run-turn.ts';
export { type SideModel, sampleWith, sideRequest } from './side-request.ts';
