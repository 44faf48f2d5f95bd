export { readPrivate, removePrivate, writePrivate } from './private-files.ts';
export { userFolder } from './user-folder.ts';
