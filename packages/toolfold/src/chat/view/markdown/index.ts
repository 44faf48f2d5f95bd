export type { CodeTheme } from './highlight.ts';
export { MarkdownLines } from './markdown-lines.ts';
