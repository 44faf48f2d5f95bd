import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, trackedFiles } from './tree.ts';

/** A fenced block of a document. */
export interface Snippet {
  /** The document without its ending, `README` or `docs/agent`: the folder that it runs in. */
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The comment in front of the block, as `key: value` lines; see CONTRIBUTING.md. */
  readonly marks: ReadonlyMap<string, string>;
}

/** What a comment in front of a block may say. */
export const MARKS = ['file', 'model', 'output', 'skip'] as const;

/** The documents whose blocks are run. */
export const documents: readonly string[] = ['README.md', ...trackedFiles('docs/', '.md')];

/** Every fenced block of a document, in order. */
export function snippetsOf(document: string): Snippet[] {
  const text = readFileSync(join(root, document), 'utf8');
  const blocks = text.matchAll(/(?:^<!--((?:(?!-->)[\s\S])*)-->\n)?^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...blocks].map((block) => ({
    page: document.replace(/\.md$/, ''),
    line: text.slice(0, block.index).split('\n').length,
    language: block[2] ?? '',
    text: block[3] ?? '',
    marks: marksOf(block[1] ?? ''),
  }));
}

function marksOf(comment: string): Map<string, string> {
  const marks = new Map<string, string>();
  for (const part of comment.trim().split(/\n(?=[a-z]+(?::|$))/m)) {
    const [, key, value = ''] = /^([a-z]+)(?::\s*([\s\S]*))?$/.exec(part.trim()) ?? [];
    if (key !== undefined) marks.set(key, value);
  }
  return marks;
}

/** Where the block stands, for messages. */
export function placeOf({ page, line }: Snippet): string {
  return `${page}.md:${line}`;
}

/** Where the reader would save the block; blocks without a name are numbered by line. */
export function fileOf({ marks, language, line }: Snippet): string {
  return marks.get('file') ?? `line-${line}.${language}`;
}

/** Programs: they are type-checked and run. */
export function isProgram({ language, marks }: Snippet): boolean {
  return language === 'ts' && !marks.has('skip');
}

/** Commands that are run in the reader's project; scripts of this package are for a checkout. */
export function isCommand({ language, marks, text }: Snippet): boolean {
  const lines = text.trim().split('\n');
  const isForCheckout = lines.every((line) => /^npm (run|ci|test|start|pack)\b/.test(line));
  return language === 'sh' && !marks.has('skip') && !isForCheckout;
}

/** What stays of an output when figures, times, folders and columns may differ. */
export function structureOf(output: string): string {
  return output
    .replaceAll(/\/[\w./-]*\/toolfold-[\w-]+/g, 'FOLDER')
    .replaceAll(/\d[\d,.]*/g, 'N')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ $/gm, '')
    .trim();
}
