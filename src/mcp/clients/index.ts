export { type ClientFile, clientIds, readClient, readClients } from './read-clients.ts';
export { readText } from './read-text.ts';
export type { ClientInput, ClientServer } from './server-entries.ts';
