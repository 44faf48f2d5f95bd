export { Keys } from './keys.ts';
export type { LoadedModel } from './model.ts';
export { ModelDirectory, type ModelOffer } from './model-directory.ts';
