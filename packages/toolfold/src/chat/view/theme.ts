import type { EditorTheme, SelectListTheme } from '@earendil-works/pi-tui';
import type { CodeTheme } from './markdown/index.ts';

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
