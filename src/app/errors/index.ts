export { type FailedEnd, failureLines } from './failure.ts';
