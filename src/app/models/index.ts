export { Keys } from './keys.ts';
export { givenModel, type LoadedModel, modelLoader, noModel } from './model.ts';
