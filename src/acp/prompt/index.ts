export { promptText } from './prompt-text.ts';
