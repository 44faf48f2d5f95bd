// test: slow
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import { chatScene, limited, lostLines } from './chat.test-support.ts';
import { does, hands } from './hands.test-support.ts';
import { HOSTILE, hostileIn } from './hostile.test-support.ts';
import { withoutTmux } from './tmux.test-support.ts';

const LAST = 'omega-line';

/** An answer of 130 lines: CJK, emoji, a table, a block of code, and what must do nothing. */
function longAnswer(): string {
  const lines = Array.from({ length: 120 }, (_, at) => {
    if (at % 10 === 0) return `## Part ${at}`;
    if (at % 7 === 0) return `- 日本語の項目 ${at} 😀👩‍👩‍👧 ❤️ é`;
    return `Line ${at} of the **answer** with \`code\`.`;
  });
  const table = [
    '| name | 名前 | n |',
    '|---|---|--:|',
    '| one | 一 😀 | 1 |',
    '| two | 二 | 22 |',
  ];
  const code = ['```js', 'const a = 1;', '```', '', HOSTILE];
  return [...lines.slice(0, 60), '', ...table, '', ...lines.slice(60), '', ...code, '', LAST].join(
    '\n',
  );
}

/** A reply that is streamed in three parts. `go` releases the next one. */
function inThreeParts(text: string): { readonly reply: Reply; readonly go: () => void } {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let opened = 0;
  const reply: Reply = {
    ...{ text, chunkSize: 40 },
    pace: (sent) => (sent === 30 ? gates[0]?.promise : sent === 60 ? gates[1]?.promise : undefined),
  };
  return { reply, go: () => gates[opened++]?.resolve() };
}

const count = (text: string, part: string) => text.split(part).length - 1;

/** Columns of the terminal. TOOLFOLD_TEST_FULL tries more. */
const isFull = process.env.TOOLFOLD_TEST_FULL !== undefined;
const COLUMNS = isFull ? [80, 13, 20, 40, 133, 200, 300] : [80, 13, 200];

suite('a long answer on a terminal', { skip: withoutTmux }, () => {
  for (const isInline of [false, true]) {
    for (const columns of COLUMNS) {
      const name = `${isInline ? 'on the main screen' : 'on the alternate screen'}, ${columns} columns`;
      test(name, limited, async (context) => {
        const { reply, go } = inThreeParts(longAnswer());
        const scene = await chatScene(
          context,
          [{ calls: [does('text', { text: HOSTILE })] }, reply],
          { servers: async (folder) => ({ hands: (await hands(folder)).entry }) },
        );
        const chat = await scene.terminal(columns, 24);
        const { tmux } = chat;
        const outside = await tmux.outside();
        await chat.start('--allow "hands__*" --strategy eager', ...(isInline ? ['--inline'] : []));
        await chat.say('Tell me');
        await tmux.shows(/Line 2\d/);
        await tmux.resize(columns + 7, 30);
        go();
        await tmux.shows(/Line 5\d|Line 4\d/);
        await tmux.resize(Math.max(10, columns - 3), 20);
        go();
        await tmux.shows(LAST);
        await tmux.shows(/2 request/);
        const lines = await chat.quit();
        const bytes = await tmux.bytes();
        // On the main screen, what stands there scrolls away when the size changes.
        const copies = isInline ? [1, 2, 3] : [1];
        assert.ok(copies.includes(count(lines, LAST)), lines);
        assert.deepEqual(lostLines(lines), [], lines);
        assert.deepEqual(hostileIn(bytes), []);
        assert.equal(await tmux.outside(), outside);
        // Two at the start, and one for each resize.
        assert.equal(count(bytes, '\u001B[2J'), isInline ? 0 : 4);
      });
    }
  }
});
