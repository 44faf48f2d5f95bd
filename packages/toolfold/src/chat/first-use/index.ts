export { foundLines, greeting, serverWays } from './first-use.ts';
