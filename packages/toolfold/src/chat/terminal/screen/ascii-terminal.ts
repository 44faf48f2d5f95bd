import { ProcessTerminal, visibleWidth } from '@earendil-works/pi-tui';

/** Characters of the interface, and what stands for them where the terminal has no UTF-8. */
const SIMILAR: Readonly<Record<string, string>> = {
  ...{ '─': '-', '│': '|', '└': '`', '├': '+', '┌': '+', '┐': '+', '┘': '+', '┤': '+', '┼': '+' },
  ...{ '┬': '+', '┴': '+', '●': '*', '○': 'o', '◐': '%', '✗': 'x', '⊘': '/', '‼': '!', '❯': '>' },
  ...{ '▸': '>', '▾': 'v', '…': '~', '·': '-', '→': '>', '↑': '^', '↓': 'v', '’': "'", '‘': "'" },
  ...{ '⠋': '|', '⠙': '/', '⠹': '-', '⠸': '\\', '⠼': '|', '⠴': '/', '⠦': '-', '⠧': '\\' },
  ...{ '⠇': '|', '⠏': '/' },
  ...{ '“': '"', '”': '"', '–': '-', '—': '-', '•': '*', '█': '#', '▏': '|', '▕': '|' },
};

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The text in ASCII, with the same width in columns. Letters lose their accents. What has nothing similar
 * becomes question marks.
 */
export function asciiText(text: string): string {
  if (isAscii(text)) return text;
  let ascii = '';
  for (const { segment } of segments.segment(text))
    ascii += isAscii(segment) ? segment : similarTo(segment);
  return ascii;
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are ASCII and stay
  return /^[\x00-\x7F]*$/.test(text);
}

function similarTo(character: string): string {
  const width = visibleWidth(character);
  const letter = character.normalize('NFD').replace(/[^ -~]/g, '');
  return SIMILAR[character] ?? (letter.length === width ? letter : '?'.repeat(width));
}

/** Whether the terminal's locale has UTF-8 (POSIX: LC_ALL before LC_CTYPE before LANG). */
export function hasUtf8(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return locale === undefined || locale === '' || /utf-?8/i.test(locale);
}

/** A terminal that gets ASCII only. */
export class AsciiTerminal extends ProcessTerminal {
  override write(data: string): void {
    super.write(asciiText(data));
  }
}
