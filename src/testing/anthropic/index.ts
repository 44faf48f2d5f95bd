export { deferredDefinitions, shownNames, toolChanges } from './tool-change.ts';
export { anthropicWire } from './wire.ts';
