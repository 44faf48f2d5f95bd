export type { JournalMode } from './open-file.ts';
export { SessionFile, type SessionFileOptions } from './session-file.ts';
