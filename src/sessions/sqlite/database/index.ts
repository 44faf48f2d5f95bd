export { Database, type DatabaseOptions, type Value } from './database.ts';
export { damaged, unavailable } from './sqlite-error.ts';
