export { type Chat, type ChatOptions, openChat } from './chat.ts';
export { type OpenQuestion, Questions } from './questions.ts';
