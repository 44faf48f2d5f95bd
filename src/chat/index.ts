export { chat } from './chat.ts';
export type { ChatOptions } from './options.ts';
