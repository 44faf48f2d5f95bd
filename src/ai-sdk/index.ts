export { createFold } from './fold.ts';
export type { Fold, FoldOptions, FoldTools, SdkToolGroup, WithOptions } from './fold-options.ts';
export type { RequestEvent } from './middleware.ts';
export { NOTE_KIND } from './note-part.ts';
export type { RequestTokens } from './request-tokens.ts';
