export { openaiChatCompletions } from './chat-completions.ts';
export { openaiResponses } from './responses.ts';
export { loadedTools } from './responses-tools.ts';
