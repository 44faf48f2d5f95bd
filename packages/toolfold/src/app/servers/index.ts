export { adHocConfig, isAddress, stdioFlag } from './ad-hoc.ts';
export { addressedServers, isNamed, namedServer } from './addressed.ts';
export { showPageWith } from './browser.ts';
export { loadConfig, requiredConfig, searchedText, trustHost } from './configured-servers.ts';
export { type ListedOptions, type ListedServers, openListed } from './open-listed.ts';
export { type OpenedServers, openServers, PATIENCE } from './open-servers.ts';
export { useProxies } from './proxies.ts';
export {
  entryText,
  isReadable,
  keepTrust,
  notTrusted,
  type TrustHost,
  trustQuestion,
} from './trust.ts';
