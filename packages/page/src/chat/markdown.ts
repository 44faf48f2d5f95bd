import { Lexer, Marked, type Token } from 'marked';
import { isHeavy } from './long-text.ts';

export type { Token };

const parser = new Marked();
// The definition of a link may reach over blank lines. The terminal shows nothing of it either.
parser.use({ tokenizer: { def: () => undefined } });

/** Most characters of a paragraph with marks: the time to read them grows with their square. */
const INLINE = 4_000;
/** Marks at the beginning of a line that are no nesting of lists and quotes that anyone reads. */
const NESTED = /^[ \t>*+\-\d.)]{400}/m;

/** The blocks of a text. What would take seconds to read or to lay out is of the type `long`. */
function blocksIn(text: string): readonly Token[] {
  if (isLong(text)) return [longToken(text)];
  const lexer = new Lexer(parser.defaults);
  const blocks = lexer.blockTokens(text.replaceAll(/\r\n|\r/g, '\n'));
  for (const { src, tokens } of lexer.inlineQueue) {
    if (src.length <= INLINE) lexer.inlineTokens(src, tokens);
    else tokens.push({ type: 'text', raw: src, text: src, escaped: false });
  }
  return blocks.map((token) => (isHeavy(token.raw) ? longToken(token.raw) : token));
}

function isLong(text: string): boolean {
  return text.length > 100_000 || NESTED.test(text);
}

function longToken(raw: string): Token {
  return { type: 'long', raw };
}

/** Characters of blocks that are not read again while a text grows. */
const SETTLE = 2_000;

/** The blocks of a text that grows: only its end is read again, and what stays is the same objects. */
export class GrowingMarkdown {
  #settled = '';
  #blocks: readonly Token[] = [];

  read(text: string): readonly Token[] {
    if (!text.startsWith(this.#settled)) {
      this.#settled = '';
      this.#blocks = [];
    }
    const rest = text.slice(this.#settled.length);
    const tokens = blocksIn(rest);
    const all = [...this.#blocks, ...tokens];
    const last = tokens.findLastIndex(({ type }) => type !== 'space');
    // A block ends where a blank line and another block follow.
    const size = tokens.slice(0, Math.max(0, last)).reduce((sum, { raw }) => sum + raw.length, 0);
    if (
      size > SETTLE &&
      tokens[last - 1]?.type === 'space' &&
      rest.startsWith(rawOf(tokens, last))
    ) {
      this.#settled += rest.slice(0, size);
      this.#blocks = [...this.#blocks, ...tokens.slice(0, last)];
    }
    return all;
  }
}

/** The parser replaces some characters, such as carriage returns: then the text does not begin with it. */
function rawOf(tokens: readonly Token[], end: number): string {
  return tokens
    .slice(0, end)
    .map(({ raw }) => raw)
    .join('');
}

/** The address of a link that may be opened. Undefined for any other. */
export function safeAddress(href: string): string | undefined {
  const { protocol, href: whole } = URL.parse(href) ?? {};
  return protocol !== undefined && /^(?:https?|mailto):$/.test(protocol) ? whole : undefined;
}

/** The text of inline tokens, as it stands for an image. */
export function textOf(token: Token): string {
  if ('tokens' in token && token.tokens) return token.tokens.map(textOf).join('');
  return 'text' in token ? String(token.text) : token.raw;
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', copy: '©', hellip: '…' },
  ...{ mdash: '—', ndash: '–', rarr: '→', larr: '←', times: '×', deg: '°', euro: '€' },
};

/** A text with its character references replaced: no HTML is read. */
export function plain(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (whole, ten, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = Number.parseInt(ten ?? hex, ten === undefined ? 16 : 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
