export { END_WORDS, progressWords, wordsOf } from './words.ts';
