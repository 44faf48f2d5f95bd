import { mkdirSync } from 'node:fs';
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
import { AsciiTerminal, hasUtf8 } from './ascii-terminal.ts';
import { Attention, REPORTS_FOCUS } from './attention.ts';
import { InlineDocument, scrollingInsteadOfClearing } from './inline-screen.ts';

export interface ScreenOptions {
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
