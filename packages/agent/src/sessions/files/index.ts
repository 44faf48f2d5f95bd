export { exportSession } from './export-session.ts';
export { type ImportOptions, importSession } from './import-session.ts';
export { linesOf } from './read-export.ts';
