import * as languages from '@speed-highlight/core/languages';
import { type ShjLanguageData, type ShjToken, tokenizeWith } from '@speed-highlight/core/tokenize';

/** Other names of languages. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ javascript: 'js', jsx: 'js', mjs: 'js', cjs: 'js', typescript: 'ts', tsx: 'ts', mts: 'ts' },
  ...{ sh: 'bash', shell: 'bash', zsh: 'bash', console: 'bash', python: 'py', rust: 'rs' },
  ...{ golang: 'go', yml: 'yaml', jsonc: 'json', json5: 'json', svg: 'xml', scss: 'css' },
  ...{ markdown: 'md', h: 'c', cpp: 'c', cc: 'c', 'c++': 'c', kotlin: 'java', patch: 'diff' },
  ...{ dockerfile: 'docker', makefile: 'make', perl: 'pl', htm: 'html' },
};

/** Most characters that are coloured. */
const MOST = 20_000;

export interface Span {
  readonly text: string;
  readonly kind: ShjToken | undefined;
}

/** Code in spans by the kind of its words. Undefined if its language is not known. */
export function spansOf(code: string, language: string): readonly Span[] | undefined {
  const [word = ''] = language
    .trim()
    .toLowerCase()
    .split(/[\s,{:]/, 1);
  const all = languages as Readonly<Record<string, ShjLanguageData>>;
  const name = NAMES[word] ?? word;
  if (code.length > MOST || !Object.hasOwn(all, name)) return;
  const spans: Span[] = [];
  tokenizeWith(code, all[name] as ShjLanguageData, (text, kind) => spans.push({ text, kind }), {
    languages: all,
  });
  return spans;
}
