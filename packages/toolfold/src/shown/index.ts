export {
  beginning,
  changeOf,
  diffIn,
  END_WORDS,
  type FileChange,
  failureLines,
  MAX_SHOWN,
  MOST_SHOWN,
  progressWords,
  refusalWords,
  repairWords,
  type ShownPart,
  shownArguments,
  shownParts,
  shownText,
  shownValue,
  textOfParts,
  wordsOf,
} from '../words/index.ts';
export { withFileNow } from './file-now.ts';
export { costText, type Indicator, spentOf } from './indicator.ts';
export { indicatorNow } from './indicator-now.ts';
export { FileTree, mentions } from './mentions.ts';
export { type Next, nextOf } from './next-request.ts';
export {
  explainTools,
  type Loaded,
  loadedTools,
  type PlanQuery,
  schemaTokens,
  ToolPlans,
} from './tool-plan.ts';
