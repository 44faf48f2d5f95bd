export { changeOf, diffIn, type FileChange, MOST_SHOWN, withFileNow } from './changes.ts';
