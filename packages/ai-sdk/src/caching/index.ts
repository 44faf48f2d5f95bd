export { askedOf, type CacheAsked } from './asked.ts';
export type { CachePlan } from './marks.ts';
export { cacheMiddleware } from './middleware.ts';
export { type CacheView, PromptCache } from './prompt-cache.ts';
export { cacheUseWords, cacheWords } from './words.ts';
