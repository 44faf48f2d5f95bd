export { applyEntry } from './apply-entry.ts';
export { ConversationState, type OpenAnswer } from './state.ts';
export { outputOf } from './tail.ts';
