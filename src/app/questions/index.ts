export { byLine } from './by-line.ts';
export { type KeyUse, type QuestionKey, useOf } from './key-rules.ts';
export { type After, Pace, Typing } from './pace.ts';
export type { AskLine, Choice, Choose, Question } from './question.ts';
