export { checkedCounter, harmless } from './app-functions.ts';
export { FieldWarnings } from './field-warnings.ts';
export { NativeWarnings, warningsTo, warnOfToolSearch } from './fold-warnings.ts';
