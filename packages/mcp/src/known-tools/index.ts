export { groupOf, type KnownTool, knownTools } from './known-tools.ts';
