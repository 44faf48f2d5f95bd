export {
  hasBreakpoints,
  isBreakpoint,
  isExplicitMode,
  isTurnEnd,
  keptSeconds,
} from './cache-breakpoints.ts';
export { openaiChatCompletions } from './chat-completions.ts';
export { openaiResponses } from './responses.ts';
export { loadedTools } from './responses-tools.ts';
