export { applyAnswers, decide } from './decide.ts';
export { questionOf } from './questions.ts';
