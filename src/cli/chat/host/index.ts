export { ChatHost, type HostOptions } from './host.ts';
export type { OpenQuestion } from './questions.ts';
