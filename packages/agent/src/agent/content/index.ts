export { takingFiles } from './taking-files.ts';
export { requireText, userContent } from './user-content.ts';
