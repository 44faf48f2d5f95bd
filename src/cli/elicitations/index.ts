export { createElicitor, type ElicitorOptions } from './elicitor.ts';
