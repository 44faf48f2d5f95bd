export type { Choice } from './chat-settings.ts';
export { ChatHost, type HostOptions } from './host.ts';
export { isInterrupted } from './open-calls.ts';
