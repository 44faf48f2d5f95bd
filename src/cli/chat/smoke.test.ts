import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { chatScene, limited, lostLines } from './chat.test-support.ts';
import { withoutTmux } from './tmux.test-support.ts';

suite('toolfold chat on a terminal', { skip: withoutTmux }, () => {
  test('a turn with an approval', limited, async (context) => {
    const scene = await chatScene(context, [{ text: 'Hello.' }]);
    const chat = await scene.terminal();
    await chat.start();
    await chat.say('Hi');
    console.log(await chat.tmux.shows('Hello.'));
    const lines = await chat.quit();
    console.log(lines);
    assert.deepEqual(lostLines(lines), []);
  });
});
