export { inspectCommand } from './inspect.ts';
