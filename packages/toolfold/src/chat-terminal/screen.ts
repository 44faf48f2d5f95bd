import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Component,
  isKeyRelease,
  ProcessTerminal,
  ScrollView,
  setCapabilities,
  type Terminal,
  type TUI,
  TuiAltScreen,
  TuiMainScreen,
  VStack,
} from '@earendil-works/pi-tui';
import { userFolder } from '@toolfold/config/internal/files';
import type { Notify } from '@toolfold/config/internal/settings';
import { harmlessInput } from '../chat/index.ts';
import { usageError } from '../terminal/index.ts';
import {
  AsciiTerminal,
  hasUtf8,
  InlineDocument,
  scrollingInsteadOfClearing,
} from './inline-screen.ts';

interface ScreenOptions {
  /** On the main screen instead of the alternate one. */
  readonly isInline: boolean;
  readonly terminal?: Terminal | undefined;
  /** The style of the bar that shows how far the conversation is scrolled. */
  readonly dim: (text: string) => string;
  /** The mark on the last line of the conversation while its end is out of sight. */
  readonly belowMark: () => string;
  /** Called before a key or the mouse may scroll, search or select. */
  readonly beforeMove: () => void;
}

/** A screen of the chat. */
export interface ChatScreen {
  readonly tui: TUI;
  /** Calls the user who looks elsewhere. */
  readonly attention: Attention;
  /** Whether the end of the conversation is in sight, and nothing searches the rest. */
  readonly isAtEnd: boolean;
  /** Scrolls to the end of the conversation. */
  toEnd(): void;
  /** Scrolls down by some lines. */
  scrollBy(lines: number): void;
  /** Shows the conversation, which stays on the terminal when the chat has ended, and below it the foot. */
  show(document: Component, foot: Component): void;
  /** Takes over the terminal, and draws everything: a frame that was requested before the stop is lost. */
  start(): void;
  /** Leaves the terminal as it was. `preserve`: nothing remains, because the chat comes back. */
  stop(options?: { readonly preserve: boolean }): void;
  /** The chat ends: the screen is not started again, by a shell that continues the process or after an editor. */
  end(): void;
}

type Bare = Omit<ChatScreen, 'end' | 'attention'>;

export function createChatScreen({
  isInline,
  terminal = processTerminal(isInline),
  dim,
  belowMark,
  beforeMove,
}: ScreenOptions): ChatScreen {
  // For this user alone: a log of the library may hold what was on the screen.
  const logs = join(userFolder('cache'), 'chat');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  // Links of a model open nothing: their addresses are shown.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  const attention = new Attention((data) => terminal.write(data));
  const start = terminal.start.bind(terminal);
  terminal.start = (onInput, onResize) =>
    start((data) => {
      const isAboutFocus = attention.takes(data);
      const isSequence = data.length > 1 && data.startsWith('\u001B');
      if (isSequence && !isAboutFocus && !isKeyRelease(data)) beforeMove();
      // A screen that knows nothing of the focus does not get it.
      if (!isAboutFocus || !isInline) onInput(data);
    }, onResize);
  const bare = isInline
    ? inlineScreen(terminal, logs)
    : altScreen(terminal, { logs, dim, belowMark });
  return inOrder(bare, attention);
}

/** The screen that is started when it is off, and stopped when it is on. */
function inOrder(bare: Bare, attention: Attention): ChatScreen {
  const { start, stop } = bare;
  let isOn = false;
  let isOver = false;
  return Object.assign(bare, {
    attention,
    start: () => {
      if (isOn || isOver) return;
      isOn = true;
      start();
    },
    stop: (options: Parameters<typeof stop>[0]) => {
      if (!isOn) return;
      isOn = false;
      stop(options);
    },
    end: () => {
      isOver = true;
    },
  });
}

function processTerminal(isInline: boolean): Terminal {
  const terminal = hasUtf8(process.env) ? new ProcessTerminal() : new AsciiTerminal();
  if (!isInline) return terminal;
  const write = terminal.write.bind(terminal);
  terminal.write = (data) => write(scrollingInsteadOfClearing(data, terminal.rows));
  return terminal;
}

function altScreen(
  terminal: Terminal,
  { logs, dim, belowMark }: Pick<ScreenOptions, 'dim' | 'belowMark'> & { readonly logs: string },
): Bare {
  const tui = new TuiAltScreen(terminal, false, logs, {
    wheelScrollLines: 3,
    scrollToEndIndicator: belowMark,
    copySelection: async (text) => {
      terminal.write(`\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`);
      return COPIED;
    },
  });
  let remains: Component | undefined;
  return {
    tui,
    get isAtEnd() {
      return tui.isFollowingOutput && !tui.hasOverlay();
    },
    toEnd: () => tui.scrollToBottom(),
    scrollBy: (lines) => tui.scrollBy(lines),
    show: (document, foot) => {
      remains = document;
      const view = new ScrollView(document, {
        ...{ follow: 'end', primary: true, scrollbar: 'auto' },
        ...{ scrollbarTrackStyle: dim, scrollbarThumbStyle: (text) => text },
      });
      const layout = new VStack([
        { component: view, basis: 0, grow: 1, minSize: 1 },
        { component: foot, basis: 'auto', shrink: 1, minSize: 1 },
      ]);
      tui.setLayoutRoot(layout);
    },
    start: () => {
      tui.start();
      tui.renderNow();
    },
    stop: ({ preserve } = { preserve: false }) => {
      if (!preserve && remains) tui.setLayoutRoot(remains);
      tui.stop({ preserveScreen: preserve });
    },
  };
}

function inlineScreen(terminal: Terminal, logs: string): Bare {
  const tui = new TuiMainScreen(terminal, false, logs);
  let shown: InlineDocument | undefined;
  return {
    tui,
    isAtEnd: true,
    toEnd: () => {},
    scrollBy: () => {},
    show: (...parts) => {
      shown = new InlineDocument(parts, () => terminal.rows);
      tui.addChild(shown);
    },
    start: () => {
      shown?.begin();
      // It draws from the cursor on, below what the shell has printed.
      tui.restoreRenderState(NOTHING_DRAWN);
      tui.start();
      terminal.write(REPORTS_FOCUS.on);
      tui.renderNow();
    },
    stop: ({ preserve } = { preserve: false }) => {
      terminal.write(REPORTS_FOCUS.off);
      // How the turn ended may not be drawn yet.
      if (!preserve) tui.renderNow();
      const isLast = !preserve && shown?.end() === true;
      if (isLast) tui.renderNow();
      // The cursor stays where the last frame has left it.
      tui.stop({ preserveScreen: isLast });
    },
  };
}

/** Whether the terminal has taken the text is not known. */
const COPIED = 'Copied. If it is not in your clipboard: drag with Shift (Option on a Mac).';

const NOTHING_DRAWN = {
  ...{ previousLines: [], previousWidth: 0, previousHeight: 0, previousViewportTop: 0 },
  ...{ cursorRow: 0, hardwareCursorRow: 0, maxLinesRendered: 0 },
};

/**
 * Runs `work` while the screen is shown. The terminal is as before when it ends, also after a crash.
 * `onEnd` is called when the command is stopped or stdin ends.
 */
export async function whileShown(
  screen: ChatScreen,
  signal: AbortSignal,
  onEnd: () => void,
  work: () => Promise<void>,
): Promise<void> {
  const end = () => {
    screen.end();
    onEnd();
  };
  const leave = () => screen.stop({ preserve: true });
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  process.once('exit', leave);
  // The message of a crash must not vanish with the alternate screen.
  process.once('uncaughtExceptionMonitor', leave);
  process.stdin.once('end', end);
  screen.start();
  try {
    await work();
  } finally {
    signal.removeEventListener('abort', end);
    process.off('exit', leave);
    process.off('uncaughtExceptionMonitor', leave);
    process.stdin.off('end', end);
    screen.stop();
  }
}

const FOCUS = { in: '\u001B[I', out: '\u001B[O' } as const;

/** Mode 1004 of xterm: the terminal says when it gets and loses the focus. */
const REPORTS_FOCUS = { on: '\u001B[?1004h', off: '\u001B[?1004l' } as const;

/** Calls the user when a turn has ended or a question opens, if the terminal has said that it has no focus. */
export class Attention {
  readonly #write: (data: string) => void;
  #hasFocus = true;
  #wasWorking = false;
  /** The question that was open. */
  #question: object | undefined;

  constructor(write: (data: string) => void) {
    this.#write = write;
  }

  /** Reads what the terminal sends. Returns whether it was about the focus. */
  takes(data: string): boolean {
    if (data !== FOCUS.in && data !== FOCUS.out) return false;
    this.#hasFocus = data === FOCUS.in;
    return true;
  }

  /** Compares with the last time. `question`: the one that is open. */
  watch(isWorking: boolean, question: object | undefined, notify: Notify = 'bell'): void {
    const hasEnded = this.#wasWorking && !isWorking;
    const isAsked = question !== undefined && question !== this.#question;
    this.#wasWorking = isWorking;
    this.#question = question;
    if (this.#hasFocus || notify === 'off' || !(isAsked || hasEnded)) return;
    const text = isAsked ? 'Toolfold asks you' : 'Toolfold has ended its turn';
    this.#write(notify === 'desktop' ? `\u001B]9;${text}\u0007` : '\u0007');
  }
}

/** Stops the process as Ctrl-Z does in a shell. Calls back when the shell continues it. */
export function suspend(screen: ChatScreen, onBack: () => void): void {
  screen.stop({ preserve: true });
  // While stdin is not read, nothing else may keep the process running.
  const running = setInterval(() => {}, 1_000_000);
  process.once('SIGCONT', () => {
    clearInterval(running);
    onBack();
    screen.start();
  });
  process.kill(process.pid, 'SIGTSTP');
}

/**
 * Opens a text in the user's editor ($VISUAL, $EDITOR, or vi), and resolves with what was saved. Rejects
 * with `invalid-option` if the editor can not be started or fails.
 */
export async function editElsewhere(screen: ChatScreen, text: string): Promise<string> {
  const editor = process.env.VISUAL || process.env.EDITOR || 'vi';
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  const file = join(folder, 'message.md');
  try {
    await writeFile(file, text, { mode: 0o600 });
    screen.stop({ preserve: true });
    // The variable may hold arguments, so a shell reads it, as git does.
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
    const [code] = await once(child, 'close');
    if (code !== 0)
      throw usageError(
        `The editor "${editor}" has ended with code ${code}.`,
        'Set the variable EDITOR to a program that waits until the file is closed.',
      );
    return harmlessInput(await readFile(file, 'utf8')).replace(/\n$/, '');
  } finally {
    screen.start();
    await rm(folder, { recursive: true, force: true });
  }
}
