export { readText, typedPath, withFiles } from './attachments.ts';
export { contentOf, type MessageFile } from './message-file.ts';
