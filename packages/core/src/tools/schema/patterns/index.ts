export { stepsOf } from './pattern-steps.ts';
