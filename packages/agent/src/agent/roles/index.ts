export { KNOWN_SERVERS, type Subject } from './known-servers.ts';
export { BUILT_IN_ROLES, emptyRoleWarning, requireRole, roleIn, rolesWith } from './roles.ts';
