export { clientSource } from './client-source.ts';
export { companionRestrictions } from './companions.ts';
export {
  type ClientPlace,
  type ConfigPlace,
  clientPlaces,
  configPlaces,
  type FindConfigsOptions,
  placeOf,
  workspaceOf,
} from './places.ts';
export { type ClientFile, clientIds, readClient, readClients } from './read-clients.ts';
export { readText } from './read-text.ts';
export type { ClientInput, ClientServer } from './server-entries.ts';
export { serversIn } from './server-entries.ts';
export { ALL_TOOLS, exposureFor, isOffered, type ToolLists } from './tool-lists.ts';
