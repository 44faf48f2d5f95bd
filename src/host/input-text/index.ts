export { asJson, inputText, isJson, projectedText, shownText, writtenText } from './input-text.ts';
export { isReadable } from './kept-text.ts';
