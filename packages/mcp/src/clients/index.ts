export { companionRestrictions } from './companions.ts';
export { clientSource } from './dialects.ts';
export {
  type ClientPlace,
  type ConfigPlace,
  configPlaces,
  type FindConfigsOptions,
  placeOf,
  readFound,
  readText,
  realPath,
  workspaceOf,
} from './places.ts';
export { ALL_TOOLS, exposureFor, isOffered, type ToolLists } from './restrictions.ts';
export {
  type ClientFile,
  type ClientInput,
  type ClientServer,
  clientIds,
  readClient,
  readClients,
  serversIn,
} from './server-entries.ts';
