export type { ExplainedTool, Explanation } from './explain.ts';
export { createToolLayer, type KnownTools, type ToolLayer } from './layer.ts';
export {
  checkLayerOptionNames,
  checkSessionOptions,
  checkSettings,
  LAYER_OPTIONS,
  OTHERS_SETTINGS,
  type SessionOptions,
  type ToolLayerOptions,
} from './options.ts';
export { Session } from './session.ts';
export { scopeOf } from './session-scope.ts';
