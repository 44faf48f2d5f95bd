export { HiddenTexts } from './hidden-texts.ts';
export { turnCode } from './turn.ts';
export { jsonWriter, textWriter } from './writer.ts';
