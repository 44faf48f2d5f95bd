export {
  INTERRUPTED,
  INTERRUPTED_MESSAGE,
  interruptedText,
  NO_ANSWER,
  NOT_RUN,
} from './broken-off.ts';
export { type Binding, boundCall, changedTools, loadBound, rebound } from './changed-tools.ts';
export { errorText } from './error-text.ts';
export {
  answered,
  answeredCalls,
  CUT_OFF,
  checkResumable,
  hasTools,
  NOT_APPROVED,
  type OpenCall,
  openCalls,
  pendingIn,
  textsOf,
  withoutOpenAnswers,
} from './history.ts';
export { textOf } from './message-parts.ts';
export { repaired } from './repair.ts';
export { toolboxOf } from './shown-input.ts';
