export { automaticMark, type CacheTtl, isMarkable, markOn } from './cache-marks.ts';
export { anthropicMessages } from './messages.ts';
export { deferredDefinitions, shownNames, toolChanges } from './tool-change.ts';
