/**
 * Draws docs/chat.svg: the screen of `toolfold chat --demo` while it asks for an approval. The chat and its
 * six servers run here, on a terminal in memory. Run: `npm run picture:chat`.
 */
import { writeFileSync } from 'node:fs';
import xterm from '@xterm/headless';
import { RecordedTerminal } from '../bench/chat/recorded-terminal.ts';
import { memoryStore } from '../packages/agent/src/sessions.ts';
import { openChat } from '../packages/toolfold/src/chat/open-chat.ts';
import { ChatUi } from '../packages/toolfold/src/chat-terminal/chat-ui.ts';
import { themeWith } from '../packages/toolfold/src/chat-view/theme.ts';
import { startDemo } from '../packages/toolfold/src/demo/demo.ts';
import { openTerminal } from '../packages/toolfold/src/terminal/terminal.ts';

const [COLUMNS, ROWS] = [92, 28];
/** Pixels of a cell, and around the screen. */
const CELL = { width: 8.4, height: 18 };
const MARGIN = 16;
const MESSAGE = 'Make a repository with a haiku about folded tools, and remember it.';

/** The colours of the theme, by their number (ECMA-48, SGR 30 to 37 and 90 to 97). */
const COLOURS: Readonly<Record<number, string>> = {
  1: '#ff7b72',
  2: '#7ee787',
  3: '#e3b341',
  6: '#79c0ff',
  8: '#8b949e',
};

/** A terminal whose screen can be read. */
class MemoryTerminal extends RecordedTerminal {
  readonly screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  readonly #looks = new Set<() => void>();

  constructor() {
    super(COLUMNS, ROWS);
    this.onWrite = (data) =>
      this.screen.write(data, () => {
        for (const look of this.#looks) look();
      });
  }

  /** Resolves when the text is on the screen. */
  async shows(text: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (this.lines().some((line) => line.includes(text))) resolve();
    };
    this.#looks.add(look);
    look();
    await promise;
    this.#looks.delete(look);
  }

  lines(): string[] {
    const { active } = this.screen.buffer;
    return Array.from(
      { length: ROWS },
      (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? '',
    );
  }
}

async function screenOfDemo(): Promise<MemoryTerminal> {
  await using demo = await startDemo();
  const stop = new AbortController();
  const terminal = new MemoryTerminal();
  const flags = { config: demo.workplace.config };
  const ui = new ChatUi({ theme: themeWith(true), isInline: false, prompt: MESSAGE, terminal });
  const context = {
    streams: process,
    terminal: { ...openTerminal(process, () => {}), isInteractive: false, note: ui.note },
    signal: stop.signal,
    exitWith: () => {},
  };
  const host = await openChat({
    ...{ flags, context, model: demo.model, store: memoryStore(), canAsk: true },
    noteConfig: () => {},
    folder: demo.workplace.folder,
    onChange: ui.update,
    note: ui.note,
  });
  const chat = ui.run(async () => host, stop.signal);
  await terminal.shows('Enter: answer');
  await terminal.shows('conversation ');
  const picture = terminal.lines().join('\n');
  if (!picture.includes('git__git_commit')) throw new Error(`It is another question:\n${picture}`);
  const drawn = draw(terminal);
  stop.abort(new Error('The picture is drawn.'));
  await chat;
  await host.close();
  writeFileSync(new URL('../docs/chat.svg', import.meta.url), drawn);
  return terminal;
}

/** The screen as an SVG. Cells of one style that stand beside each other are one text. */
function draw({ screen }: MemoryTerminal): string {
  const { active } = screen.buffer;
  const [width, height] = [COLUMNS * CELL.width + 2 * MARGIN, ROWS * CELL.height + 2 * MARGIN];
  const texts: string[] = [];
  for (let row = 0; row < ROWS; row++) {
    const line = active.getLine(active.viewportY + row);
    let run = { style: '', text: '', at: 0 };
    const end = () => {
      const y = MARGIN + (row + 0.78) * CELL.height;
      const x = MARGIN + run.at * CELL.width;
      if (run.text.trim() !== '')
        texts.push(
          `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" textLength="${(run.text.length * CELL.width).toFixed(1)}"${run.style}>${escaped(run.text)}</text>`,
        );
    };
    for (let column = 0; column < COLUMNS; column++) {
      const cell = line?.getCell(column);
      const colour = cell?.isFgDefault() ? undefined : COLOURS[cell?.getFgColor() ?? -1];
      const style = `${colour === undefined ? '' : ` fill="${colour}"`}${cell?.isBold() ? ' font-weight="bold"' : ''}`;
      if (style !== run.style) {
        end();
        run = { style, text: '', at: column };
      }
      run.text += cell?.getChars() || ' ';
    }
    end();
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="toolfold chat: cards of calls, a question about a commit, and the status line">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6edf3" xml:space="preserve">
${texts.join('\n')}
</g>
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

await screenOfDemo();
