export {
  beginning,
  changeOf,
  diffIn,
  type FileChange,
  MAX_SHOWN,
  MOST_SHOWN,
  refusalWords,
  type ShownPart,
  shownArguments,
  shownParts,
  shownText,
  shownValue,
  textOfParts,
} from './calls.ts';
export { END_WORDS, failureLines, progressWords, repairWords, wordsOf } from './events.ts';
