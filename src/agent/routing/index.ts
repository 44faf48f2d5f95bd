export { CATEGORIES, type Category } from './categories.ts';
export { narrowTo, preloadBy } from './narrowing.ts';
export { type CategorySettings, categoriesWith, createRouter, type Router } from './routing.ts';
