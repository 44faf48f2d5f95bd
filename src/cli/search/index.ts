export { createRanker, foundTool, VECTORS_BY_DEFAULT } from './ranker.ts';
export { searchCommand } from './search.ts';
