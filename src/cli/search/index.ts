export type { FoundTool } from './found-tool.ts';
export { createRanker, type Match, VECTORS_BY_DEFAULT } from './ranker.ts';
export { searchCommand } from './search.ts';
