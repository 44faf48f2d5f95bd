export { checkSettings } from './settings-check.ts';
