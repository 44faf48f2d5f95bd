export { FieldWarnings } from './field-warnings.ts';
export { NativeWarnings, warningsTo, warnOfToolSearch } from './fold-warnings.ts';
