export { type CodeTheme, Highlighter } from './highlight.ts';
export { type Highlight, MarkdownLines } from './markdown-lines.ts';
