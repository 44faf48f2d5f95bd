export { ChatHost, type Choice, type HostOptions } from './host.ts';
export { isInterrupted } from './open-calls.ts';
