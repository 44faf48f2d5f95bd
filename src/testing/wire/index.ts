export { declaredTools, duplicateOf, recordsOf } from './body-parts.ts';
export {
  isSecretHeader,
  type RecordedRequest,
  recordRequest,
  toJsonl,
  type WireProvider,
} from './recorded-request.ts';
export {
  argumentsText,
  cut,
  parsedArguments,
  type Reply,
  type ReplyCall,
  type ReplyFinish,
} from './reply.ts';
export { type RequestFormat, requestFormats, type UnreadRequest } from './request-format.ts';
export {
  CREATED_AT,
  type IssuedCalls,
  type Refusal,
  type Turn,
  type TurnCall,
  type WireEvent,
  type WireFormat,
} from './wire-format.ts';
export { wireProviderOf } from './wire-provider.ts';
