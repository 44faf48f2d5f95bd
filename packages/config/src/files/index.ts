export { openNamed, readNamed } from './named-file.ts';
export { readPrivate, removePrivate, writePrivate } from './private-files.ts';
export { TrustedEntries } from './trusted-entries.ts';
export { userFolder } from './user-folder.ts';
