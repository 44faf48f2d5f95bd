export { CATEGORIES } from './categories.ts';
export { KNOWN_SERVERS } from './known-servers.ts';
export { preloadBy } from './preload-choice.ts';
export { BUILT_IN_ROLES, emptyRoleWarning, requireRole, roleIn, rolesWith } from './roles.ts';
export { categoriesWith, createRouter, narrowTo, type Router } from './routing.ts';
