export { ChatUi, type ChatUiOptions } from './chat-ui.ts';
