export { declaredTools, duplicateOf, recordsOf } from './body-parts.ts';
export {
  isSecretHeader,
  type RecordedRequest,
  recordRequest,
  toJsonl,
  type WireProvider,
} from './recorded-request.ts';
export { type RequestFormat, requestFormats, type UnreadRequest } from './request-format.ts';
export { wireProviderOf } from './wire-provider.ts';
