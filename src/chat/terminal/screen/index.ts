export { whileShown } from './endings.ts';
export { type ChatScreen, createChatScreen, logFolder } from './screen.ts';
