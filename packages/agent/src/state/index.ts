export { applyEntry, eventsOfEntry } from './apply-entry.ts';
export { type Binding, changedTools, loadBound, toolboxOf } from './changed-tools.ts';
export {
  answeredCalls,
  askedEvent,
  CUT_OFF,
  checkResumable,
  hasTools,
  NOT_APPROVED,
  type OpenCall,
  openCalls,
  outputOf,
  textsOf,
} from './history.ts';
export {
  INTERRUPTED,
  INTERRUPTED_MESSAGE,
  type MessagePart,
  NOT_RUN,
  partsOf,
  TOOLS_ARE_OFF,
  TOOLS_OFF,
  TOOLS_ON,
  textOf,
  USER_WROTE,
} from './messages.ts';
export { type ChildEntries, eventsOf, type RebuiltEvent } from './rebuilt-events.ts';
export { repaired } from './repair.ts';
export { ConversationState, type OpenAnswer } from './state.ts';
