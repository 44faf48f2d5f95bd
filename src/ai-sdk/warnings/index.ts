export { FieldWarnings } from './field-warnings.ts';
export { warningsTo, warnOfToolSearch } from './fold-warnings.ts';
