export { readdressed } from './addresses.ts';
export { ADDRESS, type Place, ResourceOwners } from './owners.ts';
export { readUnlisted } from './read-unlisted.ts';
