export { sessionsCommand } from './sessions.ts';
