import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, trackedFiles } from './tree.ts';

/** A fenced block of a document. */
export interface Snippet {
  /** The path of the document without its extension, such as `README` or `docs/agent`. The block runs in this folder. */
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The comment before the block, as `key: value` lines; see CONTRIBUTING.md. */
  readonly marks: ReadonlyMap<string, string>;
}

/** The keys of a comment before a block. */
export const MARKS = ['file', 'model', 'output', 'skip'] as const;

/** The documents whose blocks are run. */
export const documents: readonly string[] = [
  'README.md',
  ...trackedFiles('packages/', '/README.md'),
  ...trackedFiles('docs/', '.md'),
];

/** Every fenced block of a document, in order. */
export function snippetsOf(document: string): Snippet[] {
  const text = readFileSync(join(root, document), 'utf8');
  const blocks = text.matchAll(/(?:^<!--((?:(?!-->)[\s\S])*)-->\n)?^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...blocks].map((block) => {
    const [, marks = '', language = '', written = ''] = block;
    const isDiff = language === 'diff';
    return {
      page: document.replace(/\.md$/, ''),
      line: text.slice(0, block.index).split('\n').length,
      language: isDiff ? 'ts' : language,
      text: isDiff ? changed(written) : written,
      marks: marksOf(marks),
    };
  });
}

/** The program that a diff of a program leads to. */
function changed(diff: string): string {
  const lines = diff.split('\n').filter((line) => !line.startsWith('-'));
  return lines.map((line) => line.slice(1)).join('\n');
}

function marksOf(comment: string): Map<string, string> {
  const marks = new Map<string, string>();
  for (const part of comment.trim().split(/\n(?=[a-z]+(?::|$))/m)) {
    const [, key, value = ''] = /^([a-z]+)(?::\s*([\s\S]*))?$/.exec(part.trim()) ?? [];
    if (key !== undefined) marks.set(key, value);
  }
  return marks;
}

/** The file and line of the block, for messages. */
export function placeOf({ page, line }: Snippet): string {
  return `${page}.md:${line}`;
}

/** The file name of the block. A block without a name gets its line as name. */
export function fileOf({ marks, language, line }: Snippet): string {
  return marks.get('file') ?? `line-${line}.${language}`;
}

/** Whether the block is a program. Programs are type-checked and run. */
export function isProgram({ language, marks }: Snippet): boolean {
  return language === 'ts' && !marks.has('skip');
}

/** Whether the block is type-checked: a program, or a component, which is not run. */
export function isTyped(snippet: Snippet): boolean {
  return isProgram(snippet) || snippet.language === 'tsx';
}

/** Whether the block holds commands for the reader's project. Scripts of this package are for a checkout. */
export function isCommand({ language, marks, text }: Snippet): boolean {
  const lines = text.trim().split('\n');
  const isForCheckout = lines.every((line) => /^npm (run|ci|test|start|pack)\b/.test(line));
  return language === 'sh' && !marks.has('skip') && !isForCheckout;
}

/** The output with figures, times, folders and white space made equal. */
export function structureOf(output: string): string {
  return output
    .replaceAll(/\/[\w./-]*\/toolfold-[\w-]+/g, 'FOLDER')
    .replaceAll(/\d[\d,.]*/g, 'N')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ $/gm, '')
    .trim();
}
