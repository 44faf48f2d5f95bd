export { CallLog } from './call-log.ts';
export { type ChildEntries, eventsOf } from './events-of.ts';
export { Journal } from './journal.ts';
export { JournalState, type OpenAnswer } from './journal-state.ts';
export type {
  Kind,
  Kinds,
  SessionSettings,
  TurnKind,
  UnknownChoice,
  Write,
} from './kinds.ts';
export { plainValue, restored } from './plain.ts';
export type { RebuiltEvent } from './rebuilt-turn.ts';
export { replayed } from './replay.ts';
