export { KNOWN_SERVERS, type Subject } from './known-servers.ts';
export { BUILT_IN_ROLES, type RoleSettings, rolesWith, unmatchedRoles } from './roles.ts';
