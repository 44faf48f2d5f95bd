export { failureLines } from './failure.ts';
