export { realPath } from './real-path.ts';
export { createFile, replaceFile } from './replace-file.ts';
