export { acp } from './acp.ts';
