export { auditCommand } from './audit.ts';
