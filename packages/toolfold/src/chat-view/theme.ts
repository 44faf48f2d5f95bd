import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { EditorTheme, MarkdownTheme, SelectListTheme } from '@earendil-works/pi-tui';
import type { ShjLanguageData, ShjToken } from '@speed-highlight/core/tokenize';

type Paint = (text: string) => string;

/** The styles of the chat. Without colour every style is the plain text. */
export interface Theme extends CodeTheme {
  readonly dim: Paint;
  readonly bold: Paint;
  readonly accent: Paint;
  readonly good: Paint;
  readonly bad: Paint;
  readonly warn: Paint;
  /** What stands on top of other text. */
  readonly mark: Paint;
  readonly editor: EditorTheme;
  readonly select: SelectListTheme;
}

const plain: Paint = (text) => text;

/** The theme with colour, or without. */
export function themeWith(hasColour: boolean): Theme {
  /** A style by the codes that begin and end it (ECMA-48, SGR). */
  const style = (begin: number, end: number): Paint =>
    hasColour ? (text) => `\u001B[${begin}m${text}\u001B[${end}m` : plain;
  const dim = style(90, 39);
  const bold = style(1, 22);
  const accent = style(36, 39);
  const good = style(32, 39);
  const bad = style(31, 39);
  const warn = style(33, 39);
  const italic = style(3, 23);
  const mark = style(7, 27);
  const select = {
    selectedPrefix: accent,
    selectedText: bold,
    description: dim,
    scrollInfo: dim,
    noMatch: dim,
  };
  return {
    ...{ dim, bold, accent, good, bad, warn, mark, select },
    syntax: {
      ...{ kwd: accent, cmnt: dim, str: good, esc: warn, num: warn, bool: warn, func: bold },
      ...{ class: bold, type: bold, section: bold, insert: good, deleted: bad, err: bad },
    },
    editor: { borderColor: dim, selectList: select },
    markdown: {
      ...{ heading: bold, bold, italic, underline: style(4, 24), strikethrough: style(9, 29) },
      ...{ link: accent, linkUrl: dim, code: accent, codeBlock: plain, codeBlockBorder: dim },
      ...{ quote: italic, quoteBorder: dim, hr: dim, listBullet: accent },
    },
  };
}

/** Names of languages in blocks of code, and the library's name where that is another one. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ javascript: 'js', jsx: 'js', mjs: 'js', cjs: 'js', typescript: 'ts', tsx: 'ts', mts: 'ts' },
  ...{ sh: 'bash', shell: 'bash', zsh: 'bash', console: 'bash', python: 'py', rust: 'rs' },
  ...{ golang: 'go', yml: 'yaml', jsonc: 'json', json5: 'json', svg: 'xml', scss: 'css' },
  ...{ markdown: 'md', h: 'c', cpp: 'c', cc: 'c', 'c++': 'c', kotlin: 'java', patch: 'diff' },
  ...{ dockerfile: 'docker', makefile: 'make', perl: 'pl', htm: 'html', toml: 'toml' },
};

/** Most characters that are highlighted at once: each new piece of an answer highlights its block again. */
const MOST = 20_000;

/** The styles of code. */
export interface CodeTheme {
  readonly markdown: MarkdownTheme;
  /** Kinds of words in code. What is not here looks as other code. */
  readonly syntax: Readonly<Record<string, (text: string) => string>>;
}

const require = createRequire(import.meta.url);

/**
 * Loads a part of the library for the first block of code: it takes some milliseconds, and no frame before needs it.
 * Its build for `require` lacks the languages (2.1.0), so this is the one for `import`.
 */
function load(part: string): unknown {
  return require(fileURLToPath(import.meta.resolve(`@speed-highlight/core/${part}`)));
}

/** The lines of code, coloured if its language is known. */
export function highlighted(
  code: string,
  language: string | undefined,
  theme: CodeTheme,
): string[] {
  const { syntax, markdown } = theme;
  const [word = ''] = (language ?? '')
    .trim()
    .toLowerCase()
    .split(/[\s,{:]/, 1);
  const isPlain = word === '' || code.length > MOST;
  const languages = (isPlain ? {} : load('languages')) as Readonly<Record<string, ShjLanguageData>>;
  const grammar = languages[NAMES[word] ?? word];
  if (!grammar) return code.split('\n').map(markdown.codeBlock);
  const paint = (text: string, token: ShjToken | undefined): string =>
    text === '' ? '' : ((token && syntax[token]) || markdown.codeBlock)(text);
  let coloured = '';
  const add = (text: string, token: ShjToken | undefined): void => {
    const lines = text.split('\n');
    coloured += lines.map((line) => paint(line, token)).join('\n');
  };
  const { tokenizeWith } = load('tokenize') as typeof import('@speed-highlight/core/tokenize');
  tokenizeWith(code, grammar, add, { languages });
  return coloured.split('\n');
}
