export { type Assessed, assessArguments, checkArguments } from './check.ts';
export {
  fitSchema,
  parameterNames,
  parametersOf,
  shownDefinition,
  signatureOf,
  toDefinition,
} from './schema.ts';
