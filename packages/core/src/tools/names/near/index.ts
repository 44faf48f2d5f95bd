export { NearIndex, nearNames } from './near-index.ts';
export { editsBetween, Spelling } from './spelling.ts';
export { searchWords, splitWords } from './words.ts';
