export { ShownTexts } from './shown-texts.ts';
export { turnCode } from './turn.ts';
export { jsonWriter, textWriter } from './writer.ts';
