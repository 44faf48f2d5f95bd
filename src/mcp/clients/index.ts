export { type ClientPlace, clientIds } from './client-places.ts';
export { parseSource, readText } from './json-file.ts';
export {
  type ClientFile,
  type ReadClientsOptions,
  readClient,
  readClients,
} from './read-clients.ts';
export type { ClientInput, ClientServer } from './server-entries.ts';
