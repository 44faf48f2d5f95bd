export { acpCommand } from './acp.ts';
