export { withoutTexts } from './left-out-texts.ts';
export { ModelCall } from './model-call.ts';
export { withOwnIds } from './own-ids.ts';
export { isQuotaUsedUp, retryAfter, retryDelay, retrying, withRetries } from './retry.ts';
export { streamRounds } from './stream-rounds.ts';
