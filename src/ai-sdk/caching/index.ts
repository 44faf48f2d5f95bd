export { cacheMiddleware } from './middleware.ts';
export { type CacheView, PromptCache } from './prompt-cache.ts';
