export { foundLines, greeting, modelWays, serverWays } from './first-use.ts';
