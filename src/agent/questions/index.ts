export { applyAnswers, decide } from './decide.ts';
export { decideUnknown } from './decide-unknown.ts';
export { questionOf } from './questions.ts';
