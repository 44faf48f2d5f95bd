export { createLexicalSearch } from './lexical.ts';
export type { SearchHit, ToolDocument, ToolSearch } from './tool-search.ts';
