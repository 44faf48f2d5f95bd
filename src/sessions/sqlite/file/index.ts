export { type JournalMode, versionIn } from './open-file.ts';
export { startOf } from './place.ts';
export { SessionFile, type Work } from './session-file.ts';
