export { matchesTemplate, namedServer, otherAddress, readdressed } from './addresses.ts';
