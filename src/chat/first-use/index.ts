export { greeting, modelWays, serverWays } from './first-use.ts';
