import type { MarkdownTheme } from '@earendil-works/pi-tui';
import type { ShjLanguageData, ShjToken } from '@speed-highlight/core/tokenize';
import { LazyLibrary } from '../libraries/index.ts';

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

interface Library {
  readonly tokenizeWith: typeof import('@speed-highlight/core/tokenize').tokenizeWith;
  readonly languages: Readonly<Record<string, ShjLanguageData>>;
}

/** Colours code. The library is loaded for the first block of code; `onLoad` is called when it is there. */
export class Highlighter {
  readonly #theme: CodeTheme;
  readonly #library: LazyLibrary<Library>;

  constructor(theme: CodeTheme, onLoad: () => void) {
    this.#theme = theme;
    this.#library = new LazyLibrary(load, onLoad);
  }

  /** Whether known languages are coloured now. */
  get isReady(): boolean {
    return this.#library.present !== undefined;
  }

  /** The lines of the code. They are not coloured if the language is not known, or before the library is there. */
  lines(code: string, language = ''): string[] {
    const [word = ''] = language
      .trim()
      .toLowerCase()
      .split(/[\s,{:]/, 1);
    const plain = this.#theme.markdown.codeBlock;
    const library = word === '' || code.length > MOST ? undefined : this.#library.get();
    const grammar = library?.languages[NAMES[word] ?? word];
    if (!library || !grammar) return code.split('\n').map(plain);
    let coloured = '';
    library.tokenizeWith(
      code,
      grammar,
      (text, token) => {
        coloured += text
          .split('\n')
          .map((line) => (line === '' ? '' : this.#paint(line, token)))
          .join('\n');
      },
      { languages: library.languages },
    );
    return coloured.split('\n');
  }

  #paint(text: string, token: ShjToken | undefined): string {
    const { syntax, markdown } = this.#theme;
    return (token && syntax[token] ? syntax[token] : markdown.codeBlock)(text);
  }
}

async function load(): Promise<Library> {
  const [{ tokenizeWith }, languages] = await Promise.all([
    import('@speed-highlight/core/tokenize'),
    import('@speed-highlight/core/languages'),
  ]);
  return { tokenizeWith, languages: { ...languages } as Library['languages'] };
}
