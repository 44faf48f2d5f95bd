export { nearNames } from './near.ts';
export { editsBetween, lettersIn, unsharedLetters } from './near-edits.ts';
export { NearIndex } from './near-index.ts';
export { searchWords, splitWords } from './words.ts';
