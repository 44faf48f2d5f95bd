export { fuse } from './hybrid.ts';
export {
  checkHybridOptions,
  type EmbeddingCache,
  type EmbedRequest,
  type HybridOptions,
  loadSearch,
  type VectorSearchOptions,
} from './options.ts';
export { readVectors } from './read-vectors.ts';
