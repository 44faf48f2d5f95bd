export { automaticMark, isMarkable, markOn } from './cache-marks.ts';
export { anthropicMessages } from './messages.ts';
export { deferredDefinitions, shownNames, toolChanges } from './tool-change.ts';
