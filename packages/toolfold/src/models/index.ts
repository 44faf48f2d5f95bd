export {
  instructionHooks,
  instructionLine,
  keptInstructions,
  readInstructions,
} from './instructions.ts';
export { Keys, type LoadedModel } from './model.ts';
export { ModelDirectory, type ModelOffer } from './model-directory.ts';
