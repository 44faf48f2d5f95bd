export { ChatHost } from './host.ts';
export type { OpenQuestion } from './questions.ts';
