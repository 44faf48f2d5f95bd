export { type JournalMode, versionIn } from './open-file.ts';
export { startOf } from './place.ts';
export { SessionFile } from './session-file.ts';
