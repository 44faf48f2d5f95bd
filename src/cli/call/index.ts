export { callCommand } from './call.ts';
