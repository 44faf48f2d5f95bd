export { chatInPipe } from './chat-in-pipe.ts';
