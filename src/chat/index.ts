export { chat } from './chat.ts';
export type { ChatOptions } from './with-chat.ts';
