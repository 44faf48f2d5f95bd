export { type Assessed, assessArguments, checkArguments } from './check.ts';
export { fitSchema, parameterNames, parametersOf, toDefinition } from './schema.ts';
export { shownDefinition } from './shown-definition.ts';
export { signatureOf } from './signature.ts';
