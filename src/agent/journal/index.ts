export { CallLog } from './call-log.ts';
export { Journal, type JournalListener, type Write } from './journal.ts';
export { JournalState, type OpenAnswer, type Run } from './journal-state.ts';
export type {
  Kind,
  Kinds,
  SessionSettings,
  TurnKind,
  UnknownChoice,
} from './kinds.ts';
export { plainValue, restored } from './plain.ts';
export { replayed } from './replay.ts';
export { isWritten } from './written-events.ts';
