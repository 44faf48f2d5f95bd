export type { ExplainedTool, Explanation } from './explain.ts';
export type { ToolLayerOptions } from './layer-options.ts';
export {
  checkLayerOptionNames,
  checkLayerOptions,
  checkSessionOptions,
  LAYER_OPTIONS,
  OTHERS_SETTINGS,
} from './options-check.ts';
export { Session } from './session.ts';
export type { SessionOptions } from './session-options.ts';
export { scopeOf } from './session-scope.ts';
export { checkSettings } from './settings-check.ts';
