export {
  automaticMark,
  deferredDefinitions,
  isMarkable,
  markOn,
  shownNames,
  toolChanges,
} from './anthropic/index.ts';
export type { FinishReason, ModelAnswer, WireFormat } from './format/index.ts';
export { wireFormats } from './formats.ts';
export {
  hasBreakpoints,
  isBreakpoint,
  isExplicitMode,
  isTurnEnd,
  keptSeconds,
  loadedTools,
} from './openai/index.ts';
export {
  isSecretHeader,
  type RecordedRequest,
  type RequestFormat,
  recordRequest,
  recordsOf,
  requestFormats,
  toJsonl,
  type UnreadRequest,
  type WireProvider,
  wireProviderOf,
} from './request/index.ts';
