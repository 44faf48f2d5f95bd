export { type ShownCall, toolCallOf } from './call-cards.ts';
export { SessionUpdates } from './session-updates.ts';
