export { isModel, type ModelObject, resolveModel } from './resolve-model.ts';
