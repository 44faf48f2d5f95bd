export { givesText } from './arrivals.ts';
export { type IncomingOptions, ResponseCalls } from './incoming.ts';
export { withoutTexts } from './left-out-texts.ts';
export { isModel, type ModelObject, resolveModel, withOwnIds } from './model.ts';
export { ModelCall } from './model-call.ts';
export {
  isQuotaUsedUp,
  isRetryable,
  refusalIn,
  retryAfter,
  retrying,
  withRetries,
} from './retry.ts';
export { streamRounds } from './stream-rounds.ts';
