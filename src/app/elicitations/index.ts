export { createElicitor } from './elicitor.ts';
