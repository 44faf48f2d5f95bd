// test: slow
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { chatScene, limited, lostLines } from './chat.test-support.ts';
import { does, hands } from './hands.test-support.ts';
import { eventually, type Tmux, withoutTmux } from './tmux.test-support.ts';

const servers = async (folder: string) => ({ hands: (await hands(folder)).entry });

const SIZES = [
  ...[
    [1, 1],
    [2, 2],
    [3, 5],
    [5, 3],
    [2, 40],
    [10, 4],
    [300, 1],
    [80, 24],
  ],
] as const;

/** Resizes the terminal, and waits until each size is drawn. */
async function throughSizes(tmux: Tmux): Promise<void> {
  for (const [columns = 80, rows = 24] of SIZES) {
    const before = (await tmux.bytes()).length;
    await tmux.resize(columns, rows);
    await eventually('a frame', async () => (await tmux.bytes()).length > before);
  }
}

suite('sizes of a terminal', { skip: withoutTmux }, () => {
  for (const [columns, rows] of [
    [20, 24],
    [300, 60],
  ] as const) {
    test(`a turn with an approval, ${columns} columns`, limited, async (context) => {
      const script = [{ calls: [does('text', { text: 'a-result' })] }, { text: 'Well done.' }];
      const scene = await chatScene(context, script, { servers });
      const chat = await scene.terminal(columns, rows);
      await chat.start('--strategy eager');
      await chat.say('Do it');
      await chat.tmux.shows(/Run hands__do/);
      await chat.answer();
      await chat.tmux.shows('Well done.');
      await chat.say('/help');
      await chat.tmux.shows(/ends the\s+chat/);
      const lines = await chat.quit();
      for (const words of ['❯ Do it', 'a-result', 'Well done.'])
        assert.ok(lines.includes(words), lines);
      assert.deepEqual(lostLines(lines), []);
    });
  }

  for (const flag of ['', '--inline']) {
    test(`very small ${flag}`, limited, async (context) => {
      const scene = await chatScene(
        context,
        [
          { calls: [does('text', { text: '日本語 '.repeat(50) })] },
          { text: '# 日本語\n\n| a | b |\n|---|---|\n| 一二三 | 😀 |\n\n- `code` and **more**' },
          { text: 'Still here.' },
        ],
        { servers },
      );
      const chat = await scene.terminal();
      const { tmux } = chat;
      await chat.start('--strategy eager', flag);
      const { pid } = chat;
      await chat.say('日本語 Do it');
      await tmux.shows(/Run hands__do/);
      await throughSizes(tmux);
      await tmux.shows(/Run hands__do/);
      await chat.answer();
      await tmux.shows('and more');
      await throughSizes(tmux);
      await tmux.shows(/[●*] tools/);
      await chat.say('More');
      await tmux.shows('Still here.');
      assert.equal(chat.pid, pid);
      await chat.quit();
    });
  }
});
