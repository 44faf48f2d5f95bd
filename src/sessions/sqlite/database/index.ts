export { Database, type DatabaseOptions, type Value } from './database.ts';
export { closed, damaged, unavailable } from './sqlite-error.ts';
