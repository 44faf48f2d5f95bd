export { openaiChatWire } from './chat-wire.ts';
export { loadedTools } from './responses-tools.ts';
export { openaiResponsesWire } from './responses-wire.ts';
