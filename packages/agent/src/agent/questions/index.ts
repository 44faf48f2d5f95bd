export { applyAnswers, decide, decideUnknown, isAnswered } from './decide.ts';
export { questionOf } from './questions.ts';
