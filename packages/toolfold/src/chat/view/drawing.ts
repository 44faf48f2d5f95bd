import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import type { ScreenCall } from '@toolfold/agent/internal/agent';
import type { Loaded } from '../../app/indicator/index.ts';
import { cleanLine, cleanText } from './clean.ts';
import type { MarkdownLines } from './markdown/index.ts';
import type { Theme } from './theme.ts';

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
export function inside(drawing: Drawing, indent: string): Drawing {
  return { ...drawing, width: drawing.width - visibleWidth(indent) };
}
