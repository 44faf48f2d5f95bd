export type { JournalMode } from './open-file.ts';
export { SessionFile } from './session-file.ts';
