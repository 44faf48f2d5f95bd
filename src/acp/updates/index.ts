export { type ShownCall, toolCallOf } from './call-cards.ts';
export { type EditorFeatures, PLAIN } from './editor-features.ts';
export { SessionUpdates } from './session-updates.ts';
