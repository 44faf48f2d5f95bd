export { GERMAN } from './de.ts';
export { SPANISH } from './es.ts';
export { FRENCH } from './fr.ts';
export { JAPANESE } from './ja.ts';
export { CHINESE } from './zh.ts';
