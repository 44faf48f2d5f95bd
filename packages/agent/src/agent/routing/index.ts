export { CATEGORIES } from './categories.ts';
export { preloadBy } from './preload-choice.ts';
export { categoriesWith, createRouter, narrowTo, type Router } from './routing.ts';
