export { ChatHost, type HostOptions } from './host.ts';
export { type OpenQuestion, Questions } from './questions.ts';
