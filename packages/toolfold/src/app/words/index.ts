export { END_WORDS, progressWords, repairWords, wordsOf } from './words.ts';
