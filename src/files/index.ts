export { readPrivate, removePrivate, writePrivate } from './private-files.ts';
export { type UserFolderOptions, userFolder } from './user-folder.ts';
