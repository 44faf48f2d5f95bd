import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { chatScene, limited, lostLines } from './chat.test-support.ts';
import { does, hands } from './hands.test-support.ts';
import { withoutTmux } from './tmux.test-support.ts';

suite('toolfold chat on a terminal', { skip: withoutTmux }, () => {
  for (const [columns, rows] of [
    [80, 24],
    [20, 24],
    [300, 60],
  ] as const) {
    test(`a turn with an approval, ${columns} columns`, limited, async (context) => {
      const scene = await chatScene(
        context,
        [{ calls: [does('text', { text: 'result-of-hands' })] }, { text: 'Well done.' }],
        { servers: async (folder) => ({ hands: (await hands(folder)).entry }) },
      );
      const chat = await scene.terminal(columns, rows);
      await chat.start('--strategy eager');
      await chat.say('Do it');
      await chat.tmux.shows(/Run hands__do/);
      await chat.tmux.type('y');
      await chat.tmux.shows('Well done.');
      const lines = await chat.quit();
      for (const words of ['❯ Do it', '● hands__do', 'result-of-hands', 'Well done.'])
        assert.ok(lines.includes(words), lines);
      assert.deepEqual(lostLines(lines), []);
    });
  }
});
