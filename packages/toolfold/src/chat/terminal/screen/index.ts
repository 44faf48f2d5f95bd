export { type ChatScreen, createChatScreen, whileShown } from './screen.ts';
