export { createFile, replaceFile } from './replace-file.ts';
