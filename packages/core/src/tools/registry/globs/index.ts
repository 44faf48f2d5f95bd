export {
  type Addressed,
  findMatch,
  matchesGlob,
  matchesTool,
  mayMatchIn,
  mayMatchTool,
} from './glob.ts';
export { looseGlobs, mustMatch } from './loose-globs.ts';
