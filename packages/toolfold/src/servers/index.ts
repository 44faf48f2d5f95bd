export {
  addressedServers,
  adHocConfig,
  behindServer,
  isAddress,
  isNamed,
  namedServer,
  stdioFlag,
} from './addressed.ts';
export { loadConfig, requiredConfig, searchedText, trustHost } from './configured-servers.ts';
export { openPage, showPageWith, useProxies } from './network.ts';
export {
  type ListedOptions,
  type ListedServers,
  type OpenedServers,
  openListed,
  openServers,
  PATIENCE,
} from './open-servers.ts';
export {
  isSecretDefault,
  placeName,
  secretsIn,
  VARIABLE,
  withoutDefaults,
} from './secret-places.ts';
export {
  entryText,
  isBlockInEffect,
  isReadable,
  keepTrust,
  notTrusted,
  replaceConfig,
  type TrustHost,
  trustQuestion,
} from './trust.ts';
