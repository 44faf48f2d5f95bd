import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import type { ScreenCall } from '@toolfold/agent/internal/events';
import { truncate } from '@toolfold/core/internal/values';
import { stripControls } from '@toolfold/mcp/internal/redact.ts';
import type { Indicator, Loaded } from '../shown/index.ts';
import type { MarkdownLines } from './markdown-lines.ts';
import type { Theme } from './theme.ts';

/**
 * Characters without a width of their own, such as selectors, fillers and combining keycaps: terminals do
 * not agree on the width of what they make.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\u20E3/gu;

/** Joins two emoji, such as those of a family. Terminals that draw both as one agree on two columns. */
const JOINER = '\u200D';
const JOINED = /(?<=\p{Emoji_Presentation}\p{Emoji_Modifier}?)\u200D(?=\p{Emoji_Presentation})/u;
const LOOSE =
  /(?<!\p{Emoji_Presentation}\p{Emoji_Modifier}?)\u200D|\u200D(?!\p{Emoji_Presentation})/gu;

/** Line ends of Unicode and of other systems. */
const LINE_ENDS = /\r\n?|[\u2028\u2029\u0085]/g;

/**
 * A text of a model, a tool or a server as the terminal may see it: without escape sequences, control
 * and direction characters, and cut to `limit` characters. Tabs become spaces.
 */
export function cleanText(text: string, limit: number): string {
  const lines = text.slice(0, limit * 2).replace(LINE_ENDS, '\n');
  if (!lines.includes(JOINER)) return truncate(cleanPart(lines), limit);
  const clean = lines.split(JOINED).map(cleanPart).join(JOINER);
  return truncate(clean.replace(LOOSE, ''), limit).replace(LOOSE, '');
}

function cleanPart(text: string): string {
  return stripControls(text).replace(INVISIBLE, '').replaceAll('\t', '    ');
}

/** As `cleanText`, in one line. */
export function cleanLine(text: string, limit: number): string {
  return cleanText(text.slice(0, limit * 2), limit)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Columns below which an indent is left out. */
const MIN_ROOM = 10;
/** Columns below which a text does not stand in a column of its own. */
const MIN_COLUMN = 30;

/** Lines of the chat, and the things that open and close where one of them is clicked, by line. */
export interface Lines {
  readonly text: readonly string[];
  readonly toggles?: ReadonlyMap<number, string>;
}

/** What everything that is drawn needs. */
export interface Drawing {
  readonly theme: Theme;
  /** Columns. */
  readonly width: number;
  /** Whether a card, a subagent or a long text is shown whole. */
  readonly isOpen: (id: string) => boolean;
  /** What the turn does that runs, here or in another process. Undefined if none runs. */
  readonly activity: string | undefined;
  /** The call about whose unknown outcome the user is asked. */
  readonly unknownCall?: string | undefined;
  /** The frame of a spinner, and for how many seconds this has run. */
  readonly clock: (id: string) => { readonly frame: string; readonly seconds: number };
  /** What a call changes in a file, and its lines. Undefined for other calls. */
  readonly changed?: (call: ScreenCall, width: number) => readonly string[] | undefined;
  /** The tokens of the schemas that came with a load, if they are known. */
  readonly tokensOf?: (loaded: Loaded) => number | undefined;
  /** Replaces secrets. */
  readonly hide: (text: string) => string;
  /** What renders the Markdown at this place. It is kept from frame to frame. */
  readonly markdown: (place: string) => MarkdownLines;
}

/** One line, cut at the width. */
export function oneLine(text: string, { width }: Pick<Drawing, 'width'>): string {
  return truncateToWidth(text, Math.max(1, width), '…');
}

/** A text from outside, in lines of at most `width` columns. */
export function wrapped(text: string, width: number): string[] {
  const lines = wrapTextWithAnsi(text, Math.max(1, width));
  // A character of two columns has no place in one.
  return width > 1 ? lines : lines.map((line) => (visibleWidth(line) > 1 ? '' : line));
}

/**
 * A line in lines: those after the first stand below its second column if it has one, else below its first word,
 * where there is room. What stands in front of that column is not painted.
 */
export function hanging(line: string, width: number, paint: (text: string) => string): string[] {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const columns = /^ +\S.*? {2,}(?=\S)/.exec(line)?.[0] ?? '';
  const head = width - columns.length >= MIN_COLUMN ? columns : '';
  const begin = head === '' ? indent : head;
  const room = width - begin.length;
  if (room < MIN_ROOM) return wrapped(line.trim(), width).map(paint);
  const below = ' '.repeat(begin.length);
  return wrapped(line.slice(begin.length), room).map(
    (part, at) => `${at === 0 ? begin : below}${paint(part)}`,
  );
}

/** A text from outside as one harmless line without secrets. */
export function safeLine(text: string, limit: number, { hide }: Pick<Drawing, 'hide'>): string {
  return cleanLine(hide(text.slice(0, limit * 4)), limit);
}

/** A text from outside as harmless lines without secrets. */
export function safeText(text: string, limit: number, { hide }: Pick<Drawing, 'hide'>): string {
  return cleanText(hide(text.slice(0, limit * 2)), limit);
}

/** What stands in front of lines: the mark, or nothing where there is no room. */
export function markIn({ width }: Pick<Drawing, 'width'>, mark: string): string {
  return width - visibleWidth(mark) < MIN_ROOM ? '' : mark;
}

/** The lines, each behind an indent. */
export function indented(lines: Lines, indent: string): Lines {
  return indent === '' ? lines : { ...lines, text: lines.text.map((line) => `${indent}${line}`) };
}

/** The lines of all, one behind the other. */
export function joined(all: readonly Lines[]): Lines {
  const text: string[] = [];
  const toggles = new Map<number, string>();
  for (const lines of all) {
    for (const [line, id] of lines.toggles ?? []) toggles.set(text.length + line, id);
    for (const line of lines.text) text.push(line);
  }
  return { text, toggles };
}

/** The drawing for what stands behind an indent or a mark. */
export function narrowedBy(drawing: Drawing, indent: string): Drawing {
  return { ...drawing, width: drawing.width - visibleWidth(indent) };
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Milliseconds of a frame. */
export const FRAME = 100;

/** Since when things run, as far as this screen has seen them. */
export class FrameClock {
  readonly #now: () => number;
  readonly #since = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The number of the frame. */
  get tick(): number {
    return Math.floor(this.#now() / FRAME);
  }

  /** Nothing runs any more. */
  clear(): void {
    this.#since.clear();
  }

  /** The spinner of what runs, and its whole seconds. */
  of(id: string): { readonly frame: string; readonly seconds: number } {
    const now = this.#now();
    const since = this.#since.get(id) ?? now;
    this.#since.set(id, since);
    const frame = FRAMES[this.tick % FRAMES.length] ?? '';
    return { frame, seconds: Math.floor((now - since) / 1000) };
  }
}

/** Most characters of a part, such as the name of a model. */
const MAX_PART = 60;
const BETWEEN = ' │ ';

/** The indicator in one line. Where there is no room for all, it says what matters most. */
export function statusLine({ areToolsOn, parts }: Indicator, theme: Theme, width: number): string {
  let shown = parts.map(({ text, rank }) => ({ text: cleanLine(text, MAX_PART), rank }));
  const line = () => `● ${shown.map(({ text }) => text).join(BETWEEN)}`;
  while (shown.length > 1 && visibleWidth(line()) > width) {
    const least = Math.max(...shown.map(({ rank }) => rank));
    const at = shown.findLastIndex(({ rank }) => rank === least);
    shown = shown.toSpliced(at, 1);
  }
  const [first, ...rest] = shown.map(({ text }) => text);
  const light = areToolsOn ? theme.good(`● ${first}`) : theme.dim(`○ ${first}`);
  const more = rest.map((text) => `${BETWEEN}${text}`).join('');
  return truncateToWidth(`${light}${theme.dim(more)}`, Math.max(1, width), '…');
}
