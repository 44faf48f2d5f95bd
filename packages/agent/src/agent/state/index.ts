export { applyEntry } from './apply-entry.ts';
export {
  INTERRUPTED,
  INTERRUPTED_MESSAGE,
  NOT_RUN,
  USER_WROTE,
} from './broken-off.ts';
export { type Binding, changedTools, loadBound } from './changed-tools.ts';
export {
  answeredCalls,
  askedEvent,
  CUT_OFF,
  checkResumable,
  hasTools,
  NOT_APPROVED,
  type OpenCall,
  openCalls,
  textsOf,
} from './history.ts';
export { type Part, partsOf, textOf } from './message-parts.ts';
export { repaired } from './repair.ts';
export { toolboxOf } from './shown-input.ts';
export { ConversationState, type OpenAnswer } from './state.ts';
export { outputOf } from './tail.ts';
export { TOOLS_ARE_OFF, TOOLS_OFF, TOOLS_ON } from './tool-notices.ts';
