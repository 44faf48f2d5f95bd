// test: alone
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { chatScene, limited, lostLines } from './chat.test-support.ts';
import { does, hands } from './hands.test-support.ts';
import { withoutTmux } from './tmux.test-support.ts';

const servers = async (folder: string) => ({ hands: (await hands(folder)).entry });
const script = [
  { calls: [does('text', { text: 'result-of-hands' })] },
  { text: 'Well done.' },
  { text: 'Goodbye.' },
];

suite('toolfold chat', () => {
  test('a turn with an approval', { ...limited, skip: withoutTmux }, async (context) => {
    const scene = await chatScene(context, script, { servers });
    const chat = await scene.terminal();
    await chat.start('--strategy eager');
    await chat.say('Do it');
    await chat.tmux.shows(/Run hands__do/);
    await chat.answer();
    await chat.tmux.shows('Well done.');
    const lines = await chat.quit();
    for (const words of ['❯ Do it', '● hands__do', 'result-of-hands', 'Well done.'])
      assert.ok(lines.includes(words), lines);
    assert.deepEqual(lostLines(lines), []);
  });

  test('two messages in a pipe', limited, async (context) => {
    const { pipe } = await chatScene(context, script, { servers });
    const flags = ['--strategy', 'eager', '--allow', 'hands__*'];
    const { code, stdout, stderr } = await pipe('Do it\nThank you\n', ...flags);
    assert.deepEqual([code, stdout], [0, 'Well done.\nGoodbye.\n'], stderr);
  });
});
