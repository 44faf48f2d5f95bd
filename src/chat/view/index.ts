export { changeOf, type FileChange, isShownWhole } from './changes.ts';
export { cleanLine, cleanText } from './clean.ts';
export { FRAME } from './clock.ts';
export { type Aside, ChatDocument } from './document.ts';
export { hanging, wrapped } from './drawing.ts';
export { statusLine } from './status-line.ts';
export { type Theme, themeWith } from './theme.ts';
