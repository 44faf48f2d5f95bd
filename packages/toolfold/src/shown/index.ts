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
  withFileNow,
} from './calls.ts';
export { costText, type Indicator, spentOf } from './indicator.ts';
export { type IndicatorSources, indicatorNow } from './indicator-now.ts';
export { mayHaveTools, type Next, nextOf, plannedStrategy, sentWith } from './next-request.ts';
export {
  explainTools,
  type Loaded,
  loadedTools,
  type PlanQuery,
  schemaTokens,
  ToolPlans,
} from './tool-plan.ts';
export { END_WORDS, failureLines, progressWords, repairWords, wordsOf } from './words.ts';
