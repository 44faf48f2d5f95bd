export { anthropicMessages } from './anthropic-messages.ts';
export { deferredDefinitions, shownNames, toolChanges } from './anthropic-tools.ts';
export {
  automaticMark,
  hasBreakpoints,
  isBreakpoint,
  isExplicitMode,
  isMarkable,
  isTurnEnd,
  keptSeconds,
  markOn,
} from './cache-marks.ts';
export { openaiChatCompletions } from './openai-chat-completions.ts';
export { openaiResponses } from './openai-responses.ts';
export { loadedTools } from './openai-tools.ts';
export {
  isSecretHeader,
  type RecordedRequest,
  recordRequest,
  recordsOf,
  toJsonl,
  type WireProvider,
  wireProviderOf,
} from './recorded-request.ts';
export { type RequestFormat, requestFormats, type UnreadRequest } from './request-format.ts';
export type { FinishReason, ModelAnswer, WireFormat } from './wire-format.ts';
