export { Gateway } from './gateway.ts';
