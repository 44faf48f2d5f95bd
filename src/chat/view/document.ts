import type { Component, TuiMouseEvent, TuiMouseEventResult } from '@earendil-works/pi-tui';
import type { ScreenCall, ScreenTurn, ScreenView } from '../../agent/index.ts';
import { formatCount } from '../../app/terminal/index.ts';
import { changeOf, type FileChange } from './changes.ts';
import { Clock } from './clock.ts';
import { Differ } from './differ.ts';
import { type Drawing, type Lines, markdownAt, oneLine } from './drawing.ts';
import { JoinedLines } from './joined-lines.ts';
import { Highlighter } from './markdown/index.ts';
import type { Theme } from './theme.ts';
import { turnLines, userLines, workLines } from './turn-lines.ts';

/** Lines of the chat itself, such as the output of a command. They stand behind a turn. */
export interface Aside {
  /** How many turns stand before it. */
  readonly after: number;
  /** Draws it. The texts are already harmless. */
  readonly draw: (width: number) => readonly string[];
}

export interface DocumentOptions {
  readonly theme: Theme;
  readonly hide: (text: string) => string;
  readonly view: () => ScreenView;
  readonly asides: () => readonly Aside[];
  /** A message whose turn has not begun, although nothing is before it. */
  readonly sending?: () => string | undefined;
  readonly onToggle: () => void;
  /** Whether it is drawn on the main screen. */
  readonly isInline?: boolean;
  /** What the turn does that runs, here or in another process. Undefined if none runs. */
  readonly activity: () => string | undefined;
  /** The call about whose unknown outcome the user is asked. */
  readonly unknownCall?: () => string | undefined;
  /** The tokens of the schemas of tools, if they are known. */
  readonly tokensOf?: Drawing['tokensOf'];
  /** What a call changes, where more is known than its arguments say. */
  readonly changeOf?: (id: string) => FileChange | undefined;
  /** Milliseconds. */
  readonly now?: () => number;
}

/**
 * Turns that are drawn of a session that is opened, and that each click on the line above them adds. On the
 * main screen, where each frame compares all lines and no mouse is seen, they are fewer.
 */
const MOST_TURNS = 300;
const MOST_INLINE = 30;
/** What is drawn besides turns and asides: the line above the first turn, and the message that is being sent. */
const EARLIER = { id: 'earlier' };
const SENDING = {};

/** Turns that one frame draws again when a library has been loaded. More of them would be felt while typing. */
const AT_ONCE = 4;

/** Lines, and what they were drawn from. */
interface Drawn {
  readonly key: string;
  /** How many libraries were there. */
  readonly libraries?: number;
  readonly lines: Lines;
}

const BLANK: Lines = { text: [''] };

/**
 * The conversation. What has not changed is not drawn again. Of a long session that is opened, the last
 * turns are drawn.
 */
export class ChatDocument implements Component {
  readonly #options: DocumentOptions;
  readonly #highlighter: Highlighter;
  readonly #differ: Differ;
  readonly #markdown: Drawing['markdown'];
  readonly #opened = new Set<string>();
  #areAllOpen = false;
  /** Changes when something opens or closes. */
  #version = 0;
  /** How many libraries have been loaded, and the first turn that has to be drawn with all of them. */
  #libraries = 0;
  #renewed = 0;
  #drawn = new WeakMap<object, Drawn>();
  readonly #joined = new JoinedLines();
  readonly #clock: Clock;
  /** Turns of the last frame, and the first one that was drawn. */
  #turns = 0;
  #first = 0;
  /** Whether a click is seen: not on the main screen, nor when the chat has ended. */
  #canClick: boolean;

  constructor(options: DocumentOptions) {
    this.#options = options;
    this.#canClick = !options.isInline;
    this.#clock = new Clock(options.now ?? (() => performance.now()));
    this.#highlighter = new Highlighter(options.theme, () => this.#redraw());
    this.#differ = new Differ(options, () => this.#redraw());
    this.#markdown = markdownAt(options, this.#highlighter);
  }

  /** The lines of a change. */
  diff(change: FileChange, width: number): readonly string[] {
    return this.#differ.lines(change, width);
  }

  #changed({ id, name, arguments: given }: ScreenCall, width: number) {
    const change = this.#options.changeOf?.(id) ?? changeOf(name, given);
    return change && this.diff(change, width);
  }

  /** A library has been loaded: the next frames draw all turns again, the last ones first. */
  #redraw(): void {
    this.#libraries += 1;
    this.#renewed = Number.POSITIVE_INFINITY;
    this.#options.onToggle();
  }

  #renew(first: number, turns: number): void {
    if (this.#renewed === 0) return;
    const next = Math.min(this.#renewed, turns) - AT_ONCE;
    this.#renewed = next > first ? next : 0;
    if (next > first) this.#options.onToggle();
  }

  /** Opens all cards, or closes them. */
  toggleAll(): void {
    this.#areAllOpen = !this.#areAllOpen;
    this.#opened.clear();
    this.#version += 1;
    this.#options.onToggle();
  }

  /** Shows the turns from this one on, for what remains on the terminal. */
  showFrom(turn: number): void {
    this.#turns = this.#options.view().turns.length;
    this.#first = Math.max(0, Math.min(turn, this.#turns - 1));
    this.#canClick = false;
  }

  handleMouse({ type, button, y }: TuiMouseEvent): TuiMouseEventResult | undefined {
    const id = this.#joined.toggleAt(y);
    if (type !== 'click' || button !== 'left' || id === undefined) return;
    if (id === EARLIER.id) this.#first = Math.max(0, this.#first - MOST_TURNS);
    else if (!this.#opened.delete(id)) this.#opened.add(id);
    this.#version += 1;
    this.#options.onToggle();
    return { handled: true };
  }

  invalidate(): void {
    this.#drawn = new WeakMap();
  }

  render(width: number): string[] {
    const { view, asides, theme, hide, activity, tokensOf } = this.#options;
    const { turns } = view();
    const notes = asides();
    const now = activity();
    const unknownCall = this.#options.unknownCall?.();
    if (now === undefined) this.#clock.clear();
    const drawing: Drawing = {
      ...{ theme, hide, width, isRunning: now !== undefined },
      ...(now === undefined ? {} : { activity: now }),
      ...(tokensOf ? { tokensOf } : {}),
      ...(unknownCall === undefined ? {} : { unknownCall }),
      clock: (id) => this.#clock.of(id),
      isOpen: (id) => this.#opened.has(id) !== this.#areAllOpen,
      markdown: (place) => this.#markdown(place),
      changed: (call, columns) => this.#changed(call, columns),
    };
    const first = this.#firstOf(turns.length);
    this.#renew(first, turns.length);
    const all: Lines[] = first === 0 ? [] : [this.#earlier(first, drawing)];
    const addAsides = (after: number): void => {
      for (const aside of notes.filter((one) => one.after === after)) {
        if (all.at(-1)?.text.at(-1)?.trim()) all.push(BLANK);
        const draw = () => ({ text: aside.draw(width) });
        all.push(this.#once(aside, String(width), draw), BLANK);
      }
    };
    if (first === 0) addAsides(0);
    // The turn of the message that is being sent has not begun.
    const last = this.#options.sending?.() === undefined ? turns.length - 1 : turns.length;
    for (let at = first; at < turns.length; at += 1) {
      all.push(this.#turn(turns[at] as ScreenTurn, drawing, at, at === last));
      addAsides(at + 1);
    }
    const sending = this.#options.sending?.();
    if (sending !== undefined) {
      if (all.at(-1)?.text.at(-1)?.trim()) all.push(BLANK);
      // As it will stand in its turn.
      const draw = () => userLines(sending, drawing, 'sending');
      all.push(this.#once(SENDING, `${width} ${sending}`, draw), BLANK);
      if (drawing.isRunning) all.push(workLines(drawing, String(turns.length)));
    }
    return this.#joined.join(all);
  }

  /** The first turn that is drawn. It stays while the conversation goes on turn by turn. */
  #firstOf(turns: number): number {
    if (turns < this.#turns || turns > this.#turns + 1)
      this.#first = Math.max(0, turns - (this.#options.isInline ? MOST_INLINE : MOST_TURNS));
    this.#turns = turns;
    return this.#first;
  }

  /** The line above the first turn that is drawn. */
  #earlier(turns: number, drawing: Drawing): Lines {
    const more = this.#canClick ? 'Click here to see more. ' : '';
    const text = `… ${formatCount(turns, 'turn')} before. ${more}/export writes all to a file.`;
    return this.#once(EARLIER, `${drawing.width} ${text}`, () => ({
      text: [drawing.theme.dim(oneLine(text, drawing)), ''],
      toggles: new Map([[0, EARLIER.id]]),
    }));
  }

  /** What was drawn before with this key, else what `draw` makes. */
  #once(subject: object, key: string, draw: () => Lines): Lines {
    const known = this.#drawn.get(subject);
    if (known?.key === key) return known.lines;
    const lines = draw();
    this.#drawn.set(subject, { key, lines });
    return lines;
  }

  #turn(turn: ScreenTurn, drawing: Drawing, at: number, isLast: boolean): Lines {
    const isRunning = drawing.isRunning && isLast;
    const { activity, unknownCall } = drawing;
    const now = isRunning ? `${this.#clock.tick} ${activity} ${unknownCall}` : '';
    const key = `${drawing.width} ${at} ${isLast} ${now} ${this.#version}`;
    const known = this.#drawn.get(turn);
    const isDue = at >= this.#renewed && known?.libraries !== this.#libraries;
    if (known?.key === key && !isDue) return known.lines;
    const lines = turnLines(turn, { ...drawing, isRunning }, String(at), isLast);
    this.#drawn.set(turn, { key, libraries: this.#libraries, lines });
    return lines;
  }
}
