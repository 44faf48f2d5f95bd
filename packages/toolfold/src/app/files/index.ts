export { realPath } from './real-path.ts';
export { createFile, replaceFile } from './replace-file.ts';
export { writePlace } from './write-place.ts';
