export { createRanker, foundTool } from './ranker.ts';
export { searchCommand } from './search.ts';
