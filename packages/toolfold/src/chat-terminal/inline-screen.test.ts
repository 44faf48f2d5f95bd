import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Component, visibleWidth } from '@earendil-works/pi-tui';
import xterm from '@xterm/headless';
import { WrittenTerminal } from '../../test/chat-terminal/written-terminal.test-support.ts';
import { InlineDocument, scrollingInsteadOfClearing } from './inline-screen.ts';
import { createChatScreen } from './screen.ts';

/** Parts whose lines a test changes, on a screen of some rows. */
function inline(rows = 4) {
  const shown = { document: [] as string[], foot: ['>'], rows };
  let cleared = 0;
  const part = (lines: () => string[]): Component => ({
    render: lines,
    invalidate: () => {
      cleared += 1;
    },
  });
  const screen = new InlineDocument(
    [part(() => shown.document), part(() => shown.foot)],
    () => shown.rows,
  );
  return { shown, screen, cleared: () => cleared };
}

const lines = (count: number, before = 'line ') =>
  Array.from({ length: count }, (_, at) => `${before}${at}`);

describe('the main screen', () => {
  test('shows the parts one below the other', () => {
    const { shown, screen, cleared } = inline();
    assert.deepEqual(screen.render(20), ['>']);
    shown.document = lines(2);
    assert.deepEqual(screen.render(20), ['line 0', 'line 1', '>']);
    screen.invalidate();
    assert.equal(cleared(), 2);
  });

  test('keeps the lines that have left it, and changes those that are seen', () => {
    const { shown, screen } = inline(4);
    shown.document = lines(7);
    screen.render(20);
    shown.document = lines(7, 'changed ');
    // Eight lines were drawn on four rows.
    assert.deepEqual(screen.render(20), [
      ...['line 0', 'line 1', 'line 2', 'line 3'],
      ...['changed 4', 'changed 5', 'changed 6', '>'],
    ]);
    shown.document = [...shown.document, 'more'];
    assert.equal(screen.render(20)[3], 'line 3');
  });

  test('does not fail when what is shown becomes shorter', () => {
    const { shown, screen } = inline(4);
    shown.document = lines(20);
    screen.render(20);
    for (const count of [19, 3, 0]) {
      shown.document = lines(count);
      assert.ok(screen.render(20).length <= count + 1);
    }
  });

  test('ends without its last part, if another one is seen', () => {
    const { shown, screen } = inline(4);
    shown.document = lines(2);
    screen.render(20);
    assert.equal(screen.end(), true);
    assert.deepEqual(screen.render(20), ['line 0', 'line 1', '', '']);
    const low = inline(1);
    const before = low.screen.render(20);
    assert.equal(low.screen.end(), false);
    assert.deepEqual(low.screen.render(20), before);
  });

  test('cuts lines that are too wide', () => {
    const { shown, screen } = inline();
    shown.document = ['漢字', '漢'];
    assert.deepEqual(
      screen.render(1).map((line) => visibleWidth(line) <= 1),
      [true, true, true],
    );
  });

  test('begins with what is seen after another program was there', () => {
    const { shown, screen } = inline(4);
    shown.document = lines(10);
    screen.render(20);
    screen.begin();
    assert.deepEqual(screen.render(20), ['line 7', 'line 8', 'line 9', '>']);
  });

  test('begins with what is seen when its size changes', () => {
    const { shown, screen } = inline(4);
    shown.document = lines(10);
    screen.render(20);
    assert.deepEqual(screen.render(10), ['line 7', 'line 8', 'line 9', '>']);
    shown.document = lines(12);
    assert.equal(screen.render(10).length, 6);
    shown.rows = 2;
    assert.deepEqual(screen.render(10), ['line 11', '>']);
    shown.rows = 100;
    assert.equal(screen.render(10).length, 13);
  });
});

describe('what remains on the main screen at its end', () => {
  const FOOT = ['────', 'input', '────', 'status'];

  for (const count of [0, 1, 3, 19, 20, 21, 60])
    test(`is the conversation of ${count} lines, without the input`, async () => {
      const terminal = new WrittenTerminal();
      terminal.written = 'of the shell\r\n';
      const [said, foot] = [lines(count), [...FOOT]];
      const part = (render: () => string[]): Component => ({ render, invalidate: () => {} });
      const none = { dim: (text: string) => text, belowMark: () => '', beforeMove: () => {} };
      const screen = createChatScreen({ isInline: true, terminal, ...none });
      screen.show(
        part(() => said),
        part(() => foot),
      );
      screen.start();
      // A question was there.
      foot.unshift('question', 'answer');
      screen.tui.renderNow();
      foot.splice(0, 2);
      screen.tui.renderNow();
      screen.stop();
      const { columns: cols, rows } = terminal;
      const emulator = new xterm.Terminal({ cols, rows, allowProposedApi: true });
      const written = `${terminal.written}kept\r\n`;
      await new Promise<void>((resolve) => emulator.write(written, resolve));
      const { active } = emulator.buffer;
      const shown = Array.from(
        { length: active.length },
        (_, row) => active.getLine(row)?.translateToString(true) ?? '',
      );
      const expected = ['of the shell', ...said, ...(count === 0 ? [] : ['']), 'kept'];
      assert.deepEqual(shown.slice(0, expected.length), expected);
      assert.equal(shown.slice(expected.length).join(''), '');
    });
});

test('the lines that have scrolled away are never cleared', () => {
  const clear = '\u001B[2J\u001B[H\u001B[3J';
  const scrolled = '\r\n\r\n\u001B[H\u001B[J';
  assert.equal(scrollingInsteadOfClearing(`${clear}x${clear}`, 2), `${scrolled}x${scrolled}`);
  assert.equal(scrollingInsteadOfClearing('\u001B[2Kx', 2), '\u001B[2Kx');
});
