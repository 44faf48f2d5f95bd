export { type OpenQuestion, Questions } from './questions.ts';
export { type Prepared, Talk, type TalkOptions, type TalkState } from './talk.ts';
