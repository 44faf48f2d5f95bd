export { changedLines } from './changed-lines.ts';
export { isShownWhole } from './changes.ts';
export { cleanLine, cleanText } from './clean.ts';
export { FRAME } from './clock.ts';
export { ChatDocument } from './document.ts';
export { oneLine, wrapped } from './drawing.ts';
export { statusLine } from './status-line.ts';
export { type Theme, themeWith } from './theme.ts';
