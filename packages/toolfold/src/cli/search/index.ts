export { createRanker, foundTool } from './ranker.ts';
