export { createFold, type Fold, type FoldOptions, type FoldTools, type SdkToolGroup, type WithOptions } from './fold.ts';
export type { RequestEvent } from './middleware.ts';
export { NOTE_KIND } from './note-part.ts';
export type { RequestTokens } from './request-tokens.ts';
