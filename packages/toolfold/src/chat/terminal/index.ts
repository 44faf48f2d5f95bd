export { ChatUi } from './chat-ui.ts';
