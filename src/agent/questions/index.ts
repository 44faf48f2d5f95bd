export { applyAnswers, decide, decideUnknown } from './decide.ts';
export { questionOf } from './questions.ts';
