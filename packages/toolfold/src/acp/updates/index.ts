export { type ShownCall, toolCallOf } from './call-cards.ts';
export { SessionUpdates } from './session-updates.ts';
export { userBlocks } from './user-blocks.ts';
