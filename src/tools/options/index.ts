export { checkKnown, type KnownOptions } from './known-options.ts';
export type { ToolLayerOptions } from './layer-options.ts';
export {
  checkLayerOptionNames,
  checkLayerOptions,
  checkSessionOptions,
  LAYER_OPTIONS,
} from './options-check.ts';
export type { SessionOptions } from './session-options.ts';
