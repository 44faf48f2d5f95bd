export { completeCommand, completionCommand } from './completion.ts';
