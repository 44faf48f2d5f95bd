import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import xterm from '@xterm/headless';
import { createChatScreen } from '../../src/chat-terminal/screen.ts';
import { ChatDocument } from '../../src/chat-view/document.ts';
import { themeWith } from '../../src/chat-view/theme.ts';
import { turnsOf } from '../chat-view/events.test-support.ts';
import { WrittenTerminal } from './written-terminal.test-support.ts';

const view = turnsOf(200);
const long = turnsOf(700);

/** The screen of a long session after its first frame. `isWhole`: the first frame has all lines. */
function opened(context: TestContext, isWhole: boolean, turns = view) {
  const terminal = new WrittenTerminal();
  let isMoreDue = false;
  const document = new ChatDocument({
    ...{ theme: themeWith(false), hide: (text: string) => text, view: () => turns },
    onEarlier: (lines) => {
      screen.tui.renderNow();
      screen.scrollBy(document.height - lines);
    },
    isAtEnd: () => !isWhole && screen.isAtEnd,
    onToggle: () => {
      isMoreDue = true;
    },
  });
  const screen = createChatScreen({
    ...{ isInline: false, terminal, dim: (text) => text, belowMark: () => '' },
    beforeMove: () => {
      if (document.complete()) screen.tui.renderNow();
    },
  });
  screen.show(document, { render: () => ['foot'], invalidate: () => {} });
  screen.start();
  context.after(() => screen.stop());
  assert.equal(isMoreDue, !isWhole);
  return { terminal, screen };
}

/** What stands on the terminal, line by line. */
async function linesOf({ columns, rows, written }: WrittenTerminal): Promise<readonly string[]> {
  const emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  await new Promise<void>((resolve) => emulator.write(written, resolve));
  const { active } = emulator.buffer;
  return Array.from(
    { length: rows },
    (_, row) => active.getLine(row)?.translateToString(true) ?? '',
  );
}

const PAGE_UP = '\u001B[5~';
const HOME = '\u001B[H';
const WHEEL_UP = '\u001B[<64;5;5M';
const SEARCH = '\u001B[102;6u';
/** Presses the left button, moves three lines down, and releases it. */
const DRAG = ['\u001B[<0;1;3M', '\u001B[<32;9;6M', '\u001B[<0;9;6m'];

describe('a long session that is opened, of which the last lines are drawn', () => {
  for (const [name, keys] of Object.entries({
    'scrolls by a page': [PAGE_UP],
    'scrolls to its beginning': [HOME],
    'scrolls by the wheel': [WHEEL_UP, WHEEL_UP],
    'is searched': [SEARCH, ...'question 7', '\r'],
    'has lines of it copied': DRAG,
  }))
    test(`${name} as one that is drawn whole`, async (context) => {
      const [partial, whole] = [opened(context, false), opened(context, true)];
      const results = await Promise.all(
        [partial, whole].map(async ({ terminal, screen }) => {
          for (const key of keys) {
            terminal.press(key);
            await new Promise<void>((resolve) => setImmediate(resolve));
            screen.tui.renderNow();
          }
          const clipboard = /\]52;c;([\w+/=]*)/.exec(terminal.written)?.[1];
          return { lines: await linesOf(terminal), clipboard };
        }),
      );
      assert.deepEqual(results[0], results[1]);
    });
});

test('a click for earlier turns leaves what is read where it is', async (context) => {
  const { terminal, screen } = opened(context, true, long);
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) terminal.press(key);
    await new Promise<void>((resolve) => setImmediate(resolve));
    screen.tui.renderNow();
  };
  await press(HOME);
  const [line = '', ...before] = (await linesOf(terminal)).map((one) => one.slice(0, 40).trim());
  assert.match(line, /^… 400 turns before/);
  // The button is pressed on the first line, and released.
  await press('\u001B[<0;3;1M', '\u001B[<0;3;1m');
  const after = (await linesOf(terminal)).map((one) => one.slice(0, 40).trim());
  const question = before.find((one) => one.startsWith('❯')) ?? 'none';
  assert.equal(question, '❯ Question 400');
  assert.ok(after.includes(question), after.join('\n'));
  await press(HOME);
  assert.match((await linesOf(terminal))[0] ?? '', /^… 100 turns before/);
});
