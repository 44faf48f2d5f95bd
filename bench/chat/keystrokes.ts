import { setTimeout as wait } from 'node:timers/promises';
import { Editor, TuiAltScreen } from '@earendil-works/pi-tui';
import { themeWith } from '../../packages/toolfold/src/chat-view/theme.ts';
import { RecordedTerminal } from './recorded-terminal.ts';

/** Milliseconds between two keys: they fall on all places between two frames. */
const BETWEEN = 13;
/** Keys after which the input is emptied, so that it stays one line. */
const LINE = 60;
const BACKSPACE = '\u007F';

/** Letters that stand beside each other nowhere else on the screen. */
const letter = (at: number): string => 'QJXZ'.charAt(at % 4);

/**
 * Milliseconds from each key to the write that shows it. A key counts from the time when it was due, also if
 * the program was too busy to take it then.
 */
export async function latencies(terminal: RecordedTerminal, keys: number): Promise<number[]> {
  const times: number[] = [];
  let typed = '';
  let due = performance.now();
  for (let at = 0; at < keys; at += 1) {
    due = Math.max(due, performance.now() - BETWEEN) + BETWEEN;
    await wait(Math.max(1, due - performance.now()));
    if (typed.length >= LINE) {
      for (const _ of typed) terminal.type(BACKSPACE);
      typed = '';
      await wait(BETWEEN);
      due = performance.now();
    }
    typed += letter(at);
    const { promise, resolve } = Promise.withResolvers<void>();
    // The screen writes the whole line of the input again.
    terminal.onWrite = (data) => {
      if (data.includes(typed)) resolve();
    };
    terminal.type(letter(at));
    await promise;
    times.push(performance.now() - due);
  }
  terminal.onWrite = () => {};
  return times;
}

/** The same with nothing but the editor of the library. */
export async function editorAlone(keys: number): Promise<number[]> {
  const terminal = new RecordedTerminal();
  const tui = new TuiAltScreen(terminal, false, undefined, {});
  const editor = new Editor(tui, themeWith(true).editor);
  tui.setLayoutRoot(editor);
  tui.setFocus(editor);
  tui.start();
  try {
    return await latencies(terminal, keys);
  } finally {
    tui.stop();
  }
}
