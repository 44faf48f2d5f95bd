export { changedLines, isShownWhole } from './changes.ts';
export { ChatDocument } from './document.ts';
export { cleanLine, cleanText, FRAME, oneLine, statusLine, wrapped } from './drawing.ts';
export { type Theme, themeWith } from './theme.ts';
