export { type ClientPlace, clientIds } from './client-places.ts';
export {
  type ClientFile,
  type ReadClientsOptions,
  readClient,
  readClients,
} from './read-clients.ts';
export { readText } from './read-text.ts';
export type { ClientInput, ClientServer } from './server-entries.ts';
