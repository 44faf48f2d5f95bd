export { chatCommand } from './chat.ts';
