export { asJson, inputText, isJson, projectedText, shownText } from './input-text.ts';
export { isReadable } from './kept-text.ts';
