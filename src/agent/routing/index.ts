export { CATEGORIES } from './categories.ts';
export { narrowTo, preloadBy } from './narrowing.ts';
export { categoriesWith, createRouter, type Router } from './routing.ts';
