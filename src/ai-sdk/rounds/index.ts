export { ModelCall } from './model-call.ts';
export { withRetries } from './retry.ts';
export { streamRounds } from './stream-rounds.ts';
