import { isDeepStrictEqual } from 'node:util';
import type { Component, TuiMouseEvent, TuiMouseEventResult } from '@earendil-works/pi-tui';
import type { ScreenTurn, ScreenView } from '@toolfold/agent/internal/events';
import { formatCount } from '@toolfold/core/internal/values';
import { type Drawing, FrameClock, hanging, type Lines, oneLine, safeText } from './drawing.ts';
import { MarkdownLines } from './markdown-lines.ts';
import type { Theme } from './theme.ts';
import { turnLines, userLines, workLines } from './turn-lines.ts';

/** Lines of the chat itself: outputs of commands, and what went wrong outside a turn. */
interface Aside {
  /** How many turns stand before it. */
  readonly after: number;
  readonly lines: readonly string[];
}

interface DocumentOptions {
  readonly theme: Theme;
  readonly hide: (text: string) => string;
  readonly view: () => ScreenView;
  /** A message whose turn has not begun, although nothing is before it. */
  readonly sending?: () => string | undefined;
  readonly onToggle: () => void;
  /** Called when earlier turns will be drawn above these lines, which should stay where they are. */
  readonly onEarlier?: (lines: number) => void;
  /** Whether it is drawn on the main screen. */
  readonly isInline?: boolean;
  /** Whether its end is in sight, and nothing searches the rest: lines above may come with later frames. */
  readonly isAtEnd?: () => boolean;
  /** What happens now. Undefined until that is known. */
  readonly status?: () => Pick<Drawing, 'activity' | 'unknownCall' | 'tokensOf'> | undefined;
  /** The lines of what a call changes in a file. Undefined for other calls. */
  readonly changed?: Drawing['changed'];
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

/** Most characters of a line of the chat itself. */
const MAX_ASIDE = 2_000;

/**
 * New lines of earlier turns in one frame while the end is in sight: more than a screen and a page above it.
 * Many more would be felt while typing.
 */
const AT_ONCE = 200;

/** Lines, and what they were drawn from. */
interface Drawn {
  readonly key: string;
  readonly lines: Lines;
}

const BLANK: Lines = { text: [''] };

/**
 * The conversation. What has not changed is not drawn again. Of a long session that is opened, the last
 * turns are drawn, and the frames after the first one add those above.
 */
export class ChatDocument implements Component {
  readonly #options: DocumentOptions;
  /** What renders Markdown, by place. */
  readonly #markdown = new Map<string, MarkdownLines>();
  readonly #asides: Aside[] = [];
  readonly #opened = new Set<string>();
  #areAllOpen = false;
  /** Changes when something opens or closes. */
  #version = 0;
  #drawn = new WeakMap<object, Drawn>();
  /** What the last frame was joined of, where each part ends, and its lines. */
  #parts: readonly Lines[] = [];
  readonly #ends: number[] = [];
  readonly #lines: string[] = [];
  readonly #clock: FrameClock;
  /** Turns of the last frame, and the first one that is shown. */
  #turns = 0;
  #first = 0;
  /** New lines of this frame. */
  #fresh = 0;
  /** Whether turns were left to later frames. */
  #isPartial = false;
  /** Whether the next frame must not leave any. */
  #isWholeDue = false;
  /** Whether a click is seen: not on the main screen, nor when the chat has ended. */
  #canClick: boolean;

  constructor(options: DocumentOptions) {
    this.#options = options;
    this.#canClick = !options.isInline;
    this.#clock = new FrameClock(options.now ?? (() => performance.now()));
  }

  #markdownAt(place: string): MarkdownLines {
    const { theme } = this.#options;
    const clean = (text: string) => safeText(text, Number.POSITIVE_INFINITY, this.#options);
    const known = this.#markdown.get(place) ?? new MarkdownLines(theme, clean);
    this.#markdown.set(place, known);
    return known;
  }

  /** Lines of the last frame. */
  get height(): number {
    return this.#lines.length;
  }

  /** What the chat itself has said. */
  get said(): readonly object[] {
    return this.#asides;
  }

  /** Adds lines of the chat itself behind the turns so far. `isOnce`: not if they are right below themselves. */
  say(given: readonly string[], isOnce = false): void {
    if (given.length === 0) return;
    const clean = (line: string) => safeText(line, MAX_ASIDE, this.#options);
    const lines = given.map((line) => clean(line).replaceAll('\n', ' '));
    const said = { after: this.#options.view().turns.length, lines };
    if (!isOnce || !isDeepStrictEqual(said, this.#asides.at(-1))) this.#asides.push(said);
  }

  /** Removes the first lines of the chat itself: they were about another session. */
  forget(count: number): void {
    this.#asides.splice(0, count);
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

  /** The next frame has all lines. Returns whether the last one did not. */
  complete(): boolean {
    this.#isWholeDue = this.#isPartial;
    return this.#isPartial;
  }

  handleMouse({ type, button, y }: TuiMouseEvent): TuiMouseEventResult | undefined {
    const id = this.#toggleAt(y);
    if (type !== 'click' || button !== 'left' || id === undefined) return;
    if (id === EARLIER.id) {
      this.#first = Math.max(0, this.#first - MOST_TURNS);
      this.#options.onEarlier?.(this.height);
    } else {
      if (!this.#opened.delete(id)) this.#opened.add(id);
      this.#version += 1;
    }
    this.#options.onToggle();
    return { handled: true };
  }

  invalidate(): void {
    this.#drawn = new WeakMap();
  }

  render(width: number): string[] {
    const { turns } = this.#options.view();
    const sending = this.#options.sending?.();
    const status = this.#options.status?.();
    const activity = status?.activity;
    if (activity === undefined) this.#clock.clear();
    const drawing: Drawing = {
      ...{ ...this.#options, width, activity },
      unknownCall: status?.unknownCall,
      tokensOf: (loaded) => status?.tokensOf?.(loaded),
      clock: (id) => this.#clock.of(id),
      isOpen: (id) => this.#opened.has(id) !== this.#areAllOpen,
      markdown: (place) => this.#markdownAt(place),
    };
    // The turn of the message that is being sent has not begun.
    const last = sending === undefined ? turns.length - 1 : turns.length;
    const drawn = this.#lastTurns(turns, (turn, at) => this.#turn(turn, drawing, at, at === last));
    const first = turns.length - drawn.length;
    const all: Lines[] = first > 0 && first === this.#first ? [this.#earlier(first, drawing)] : [];
    const addBlank = (): void => {
      if (all.at(-1)?.text.at(-1)?.trim()) all.push(BLANK);
    };
    const { dim } = drawing.theme;
    const addAsides = (after: number): void => {
      for (const aside of this.#asides.filter((one) => one.after === after)) {
        addBlank();
        const draw = () => ({ text: aside.lines.flatMap((line) => hanging(line, width, dim)) });
        all.push(this.#once(aside, String(width), draw), BLANK);
      }
    };
    if (first === 0) addAsides(0);
    drawn.forEach((lines, at) => {
      all.push(lines);
      addAsides(first + at + 1);
    });
    if (sending !== undefined) {
      addBlank();
      // As it will stand in its turn.
      const draw = () => userLines(sending, drawing, 'sending');
      all.push(this.#once(SENDING, `${width} ${sending}`, draw), BLANK);
      if (activity !== undefined) all.push(workLines(activity, drawing, String(turns.length)));
    }
    return this.#joined(all);
  }

  /** The lines of these parts, one behind the other. Parts that are the same objects as before are not joined again. */
  #joined(parts: readonly Lines[]): string[] {
    let same = 0;
    while (same < parts.length && parts[same] === this.#parts[same]) same += 1;
    this.#ends.length = same;
    this.#lines.length = this.#ends[same - 1] ?? 0;
    for (const { text } of parts.slice(same)) {
      for (const line of text) this.#lines.push(line);
      this.#ends.push(this.#lines.length);
    }
    this.#parts = parts;
    return this.#lines;
  }

  /** What opens and closes where this line is clicked. */
  #toggleAt(line: number): string | undefined {
    const part = this.#ends.findIndex((end) => line < end);
    return this.#parts[part]?.toggles?.get(line - (this.#ends[part - 1] ?? 0));
  }

  /** The lines of the turns that this frame shows. Those above that are left out come with the next frames. */
  #lastTurns(
    turns: readonly ScreenTurn[],
    draw: (turn: ScreenTurn, at: number) => Lines,
  ): readonly Lines[] {
    // The first turn stays while the conversation goes on turn by turn.
    if (turns.length < this.#turns || turns.length > this.#turns + 1)
      this.#first = Math.max(0, turns.length - (this.#options.isInline ? MOST_INLINE : MOST_TURNS));
    this.#turns = turns.length;
    const isWhole = this.#isWholeDue || !this.#canClick || !this.#options.isAtEnd?.();
    this.#isWholeDue = false;
    this.#fresh = 0;
    const drawn: Lines[] = [];
    let at = turns.length;
    while (at > this.#first && (isWhole || this.#fresh < AT_ONCE)) {
      at -= 1;
      drawn.push(draw(turns[at] as ScreenTurn, at));
      // The last turn may be long, and is new in each frame while it grows.
      if (drawn.length === 1) this.#fresh = 0;
    }
    this.#isPartial = at > this.#first;
    if (this.#isPartial) this.#options.onToggle();
    return drawn.reverse();
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
    this.#fresh += lines.text.length;
    this.#drawn.set(subject, { key, lines });
    return lines;
  }

  #turn(turn: ScreenTurn, drawing: Drawing, at: number, isLast: boolean): Lines {
    const activity = isLast ? drawing.activity : undefined;
    const now = activity && `${this.#clock.tick} ${activity} ${drawing.unknownCall}`;
    const key = `${drawing.width} ${at} ${isLast} ${now} ${this.#version}`;
    const draw = () => turnLines(turn, { ...drawing, activity }, String(at), isLast);
    return this.#once(turn, key, draw);
  }
}
