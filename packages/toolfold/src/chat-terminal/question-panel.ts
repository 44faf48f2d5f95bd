import {
  type Component,
  decodeKittyPrintable,
  type Focusable,
  Input,
  type KeyId,
  matchesKey,
} from '@earendil-works/pi-tui';
import { formatCount } from '@toolfold/core/internal/values';
import type { OpenQuestion } from '../chat/index.ts';
import {
  changedLines,
  cleanLine,
  cleanText,
  isShownWhole,
  type Theme,
  wrapped,
} from '../chat-view/index.ts';
import type { CallAwaitingAnswer } from '../questions/index.ts';
import { changeOf, diffIn, type FileChange, shownText, withFileNow } from '../shown/index.ts';
import { INERT, type Typing } from '../terminal/index.ts';

/** Most characters above a question, of the question, and of a choice. */
const MAX_TEXT = 200_000;
const MAX_QUESTION = 500;
const MAX_CHOICE = 200;

/** Lines of what a question is about that are in sight at least, and rows below which nothing stands around it. */
const [ABOUT, LOW] = [2, 5];

/** Lines that a key scrolls by, and choices that a key moves the mark by. */
const SCROLL = { 'shift+up': -5, 'shift+down': 5 } as const;
const MOVES = { up: -1, 'shift+tab': -1, down: 1, tab: 1 } as const;
/** What else is no text: Escape cancels the turn, these arrows move the cursor in the message. */
const OTHERS = { enter: 0, left: 0, right: 0, escape: 0 } as const;

const HINT = 'Enter: answer · ↑ ↓ Tab: choose · Esc: cancel';
const FOCUS_HINT = 'Enter: answer · ↑ ↓ Tab or a digit: choose · Esc: cancel';
const LINE_HINT = 'Enter: answer · Esc: cancel';
const MESSAGE_HINT = 'Enter: send the message · with an empty one, Enter answers';

interface QuestionPanelOptions {
  readonly theme: Theme;
  /** Rows for the question and what stands above it. */
  readonly rows: () => number;
  readonly isBoxEmpty: () => boolean;
  /** Knows whether the user types. */
  readonly typing: Typing;
  readonly onChange: () => void;
  /** The lines of what the call of the question changes, as far as it is known. */
  readonly changed?: (width: number) => readonly string[] | undefined;
}

/**
 * A question to the user: an approval, an unknown call, a form of a server. The message box stays below it and
 * keeps what is typed; see `takeKey`. Only a line that the user has asked for is typed here.
 */
export class QuestionPanel implements Component, Focusable {
  readonly question: OpenQuestion;
  readonly #options: QuestionPanelOptions;
  readonly #input = new Input();
  /**
   * `coming`: the user still types, so it is not shown. `inert`: it was shown just now, so keys are not meant for it.
   * `open`: it can be answered.
   */
  #phase: 'coming' | 'inert' | 'open' = 'coming';
  #stop: () => void = () => {};
  #marked: number;
  /** The user has moved the mark and typed no text since. Only then a digit is meant for the question. */
  #isFocused = false;
  #top = 0;

  constructor(question: OpenQuestion, options: QuestionPanelOptions) {
    this.question = question;
    this.#options = options;
    const { choices, marked, isFollowUp } = question;
    const { typing } = options;
    this.#marked = Math.max(
      0,
      choices.findIndex(({ id }) => id === marked),
    );
    // What follows from an answer is shown at once.
    if (typing.isOn && !isFollowUp) this.#stop = typing.atPause(() => this.#rest());
    else this.#rest();
  }

  /** Whether it is on the screen. */
  get isShown(): boolean {
    return this.#phase !== 'coming';
  }

  /** Whether texts are for a line of this question. */
  get takesText(): boolean {
    return this.isShown && this.#isLine;
  }

  /** Takes no key for a moment, because something else took the keys until now. */
  interrupt(): void {
    if (this.isShown) this.#rest();
  }

  /** The question is closed. */
  close(): void {
    this.#stop();
  }

  /** The next keys may still be meant for something else. */
  #rest(): void {
    const { typing, onChange } = this.#options;
    this.#stop();
    this.#isFocused = false;
    this.#phase = 'inert';
    this.#stop = typing.after(INERT, () => {
      this.#phase = 'open';
      onChange();
    });
    onChange();
  }

  /**
   * Returns whether it has used the key. Enter gives the marked answer, Tab and the arrows move the mark, and then a digit
   * does too; no letter answers. While the question is inert, keys that are no text are discarded. What is not used does
   * what it does without a question.
   */
  takeKey(data: string): boolean {
    const isUsed = this.isShown && this.#take(data);
    if (!isUsed) this.#isFocused = false;
    return isUsed;
  }

  #take(data: string): boolean {
    const scroll = stepOf(data, SCROLL);
    if (scroll !== undefined) {
      this.#top += scroll;
      return true;
    }
    const { choices } = this.question;
    const isOpen = this.#phase === 'open';
    const isBoxEmpty = this.#isLine || this.#options.isBoxEmpty();
    const digit = decodeKittyPrintable(data) ?? data;
    if (/^[0-9]$/.test(digit)) {
      const isOffered = choices[Number(digit) - 1] !== undefined;
      if (this.#takesDigits && isOffered) this.#marked = Number(digit) - 1;
      return this.#takesDigits && isOffered;
    }
    // A line feed begins a line of the message.
    if (data === '\n') return false;
    if (!isOpen) return stepOf(data, { ...MOVES, ...OTHERS }) !== undefined;
    const by = stepOf(data, MOVES);
    if (by !== undefined && !this.#isLine) {
      this.#marked = (this.#marked + by + choices.length) % choices.length;
      this.#isFocused = true;
    }
    if (by !== undefined) return true;
    if (!matchesKey(data, 'enter') || !isBoxEmpty) return false;
    this.question.answer(this.#isLine ? this.#input.getValue() : choices[this.#marked]?.id);
    return true;
  }

  get focused(): boolean {
    return this.#input.focused;
  }

  set focused(focused: boolean) {
    this.#input.focused = focused;
  }

  render(width: number): string[] {
    const { choices, text } = this.question;
    const { theme } = this.#options;
    if (!this.isShown) return [theme.warn(cleanLine('A question comes when you pause.', width))];
    const asked = wrapped(cleanLine(text, MAX_QUESTION), width).map(theme.warn);
    const rule = theme.warn('─'.repeat(Math.max(1, width)));
    const answer = this.#isLine
      ? this.#input.render(Math.max(4, width))
      : this.#near(
          choices.map(({ label }, at) => {
            const room = Math.max(1, Math.min(MAX_CHOICE, width - 2));
            const words = cleanLine(this.#takesDigits ? `${at + 1}. ${label}` : label, room);
            if (at !== this.#marked) return `  ${words}`;
            return this.#isFocused ? theme.bold(`❯ ${words}`) : `❯ ${words}`;
          }),
        );
    const lines = [...this.#above(width, answer.length + 2), ...asked, ...answer];
    // The message box stays in sight.
    return this.#options.rows() < LOW ? lines : [rule, ...lines, this.#hint(width)];
  }

  /** The choices around the marked one, so many that on a low screen what the question is about stays in sight. */
  #near(offered: readonly string[]): readonly string[] {
    const room = Math.max(1, this.#options.rows() - ABOUT - 2);
    const first = Math.min(this.#marked - Math.floor(room / 2), offered.length - room);
    return offered.slice(Math.max(0, first)).slice(0, room);
  }

  /** A key for the line. */
  handleInput(data: string): void {
    this.#input.handleInput(data);
  }

  invalidate(): void {
    this.#input.invalidate();
  }

  /** Whether the answer is a line. */
  get #isLine(): boolean {
    return this.question.choices.length === 0;
  }

  /** Whether a digit moves the mark. The choices have numbers only then. */
  get #takesDigits(): boolean {
    return this.#phase === 'open' && this.#isFocused && this.#options.isBoxEmpty();
  }

  /** What keys do now. The line is there from the beginning, so that nothing moves. */
  #hint(width: number): string {
    const { theme, isBoxEmpty } = this.#options;
    const choices = isBoxEmpty() ? (this.#takesDigits ? FOCUS_HINT : HINT) : MESSAGE_HINT;
    const words = this.#isLine ? LINE_HINT : choices;
    return theme.dim(cleanLine(this.#phase === 'open' ? words : '…', width));
  }

  /** The lines above the question. What a call changes stands in place of its arguments, if it says all of them. */
  #aboutLines(width: number): readonly string[] {
    const { lines, about } = this.question;
    const { call, subject, shown } = about;
    const changed = this.#options.changed?.(width);
    const text = (some: readonly string[]) => wrapped(cleanText(some.join('\n'), MAX_TEXT), width);
    if (!changed || !call) return lines.length === 0 ? [] : text(lines);
    const [first = '', ...rest] = lines;
    const isWhole = first === `${subject} ${shown}` && isShownWhole(call.arguments);
    return [...text([isWhole ? subject : first]), ...changed, ...text(rest)];
  }

  /** What the question is about. A long text is scrolled. */
  #above(width: number, below: number): readonly string[] {
    const { theme, rows } = this.#options;
    const lines = this.#aboutLines(width);
    const room = Math.max(ABOUT, rows() - below);
    // The line that says where the text stands takes the place of one.
    if (lines.length <= room + 1) return lines;
    this.#top = Math.max(0, Math.min(this.#top, lines.length - room));
    const place = `lines ${this.#top + 1} to ${this.#top + room} of ${formatCount(lines.length, 'line')} (Shift-↑, Shift-↓)`;
    return [...lines.slice(this.#top, this.#top + room), theme.dim(cleanLine(place, width))];
  }
}

/** What a table has for the key. Undefined if it has nothing. */
function stepOf(data: string, table: Readonly<Record<string, number>>): number | undefined {
  return Object.entries(table).find(([key]) => matchesKey(data, key as KeyId))?.[1];
}

interface ChangeOptions {
  readonly theme: Theme;
  readonly hide: (text: string) => string;
  readonly onChange: () => void;
}

/** What calls change in files. A file that is written anew is read when the user is asked about it. */
export class AskedChanges {
  readonly #options: ChangeOptions;
  readonly #asked = new Map<string, FileChange>();

  constructor(options: ChangeOptions) {
    this.#options = options;
  }

  /** The lines of what the call changes, as far as it is known. Undefined for other calls. */
  readonly lines = (
    { id, name, arguments: given, output }: CallAwaitingAnswer & { readonly output?: unknown },
    width: number,
  ): readonly string[] | undefined => {
    const change = this.#asked.get(id) ?? changeOf(name, given);
    const made = change && output !== undefined ? diffIn(shownText(output)) : undefined;
    return change && changedLines({ ...change, made }, { ...this.#options, width });
  };

  /** The user is asked about the call. */
  async ask({ id, name, arguments: given }: CallAwaitingAnswer): Promise<void> {
    const change = await withFileNow(changeOf(name, given));
    if (!change) return;
    this.#asked.set(id, change);
    this.#options.onChange();
  }
}
