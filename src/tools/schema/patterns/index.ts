export { type Steps, stepsOf } from './pattern-steps.ts';
