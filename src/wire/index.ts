export { deferredDefinitions, shownNames, toolChanges } from './anthropic/index.ts';
export type { FinishReason, ModelAnswer, WireFormat } from './format/index.ts';
export { wireFormats } from './formats.ts';
export { loadedTools } from './openai/index.ts';
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
