export { createTranslator } from './translate.ts';
