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
export {
  type RequestFormat,
  requestFormats,
  type UnreadRequest,
  wireFormats,
} from './request-format.ts';
export type { FinishReason, ModelAnswer, WireFormat } from './wire-format.ts';
