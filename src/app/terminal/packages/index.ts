export { importOptional } from './import-optional.ts';
export { installLine } from './install-line.ts';
