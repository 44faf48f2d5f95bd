export { foundLines, greeting, notSent, serverWays } from './first-use.ts';
