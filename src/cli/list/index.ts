export { listCommand } from './list.ts';
