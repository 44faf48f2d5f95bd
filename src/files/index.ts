export { readPrivate, removePrivate, writePrivate } from './private-files.ts';
export { TrustedEntries, type TrustedEntry } from './trusted-entries.ts';
export { userFolder } from './user-folder.ts';
