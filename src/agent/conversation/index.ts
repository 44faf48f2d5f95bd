export { AnswerContent, type Content } from './answer-content.ts';
export { INTERRUPTED, INTERRUPTED_MESSAGE, NOT_RUN, placeOfAnswer } from './broken-off.ts';
export { changedTools, rebound } from './changed-tools.ts';
export { errorText } from './error-text.ts';
export {
  answered,
  answeredCalls,
  type Closed,
  CUT_OFF,
  closed,
  hasTools,
  NOT_APPROVED,
  type OpenCall,
  openCalls,
  pendingIn,
  resumable,
  textsOf,
  withoutOpenAnswers,
} from './history.ts';
export { textOf } from './message-text.ts';
export { repaired } from './repair.ts';
export { toolboxOf } from './toolbox-of.ts';
