export type { CachePlan } from './marks.ts';
export { type CacheView, cacheMiddleware, PromptCacheControl } from './prompt-cache.ts';
export { askedOf, type CacheAsked, cacheUseWords, cacheWords } from './words.ts';
