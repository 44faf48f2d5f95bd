export { MAX_ROUNDS, ModelCall } from './model-call.ts';
export { withRetries } from './retry.ts';
export { type StreamedRound, streamRounds } from './stream-rounds.ts';
