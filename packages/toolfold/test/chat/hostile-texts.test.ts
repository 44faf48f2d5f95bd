// test: slow, harm
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { chatScene, limited } from './chat.test-support.ts';
import { does, hands } from './hands.test-support.ts';
import { HOSTILE, hostileIn } from './hostile.test-support.ts';
import { withoutTmux } from './tmux.test-support.ts';

/** One after the other: a failing call, a call that nobody knows, an answer, an error of the provider. */
const script = [
  { reasoning: HOSTILE, text: HOSTILE, calls: [does('fail', { text: HOSTILE })] },
  { calls: [{ name: `nobody__${HOSTILE}`, arguments: { [HOSTILE]: HOSTILE } }] },
  { calls: [{ name: 'hands__do', arguments: `{"what": "${HOSTILE}` }] },
  {
    text: `[link](http://a.example.com/${HOSTILE}) \`\`\`${HOSTILE}\n${HOSTILE}\n\`\`\`\n\nOne-done.`,
  },
  { error: { status: 400, body: `Refused-here ${HOSTILE}` } },
  { text: 'Two-done.' },
];

suite('harmful texts from everywhere', { skip: withoutTmux }, () => {
  for (const flag of ['', '--inline']) {
    test(`nothing of them reaches the terminal ${flag}`, limited, async (context) => {
      const scene = await chatScene(context, script, {
        servers: async (folder) => ({ hands: (await hands(folder, HOSTILE)).entry }),
        env: { EDITOR: 'sh editor.sh' },
      });
      await writeFile(join(scene.folder, 'editor.sh'), 'cat file.txt > "$1"; echo edited >> "$1"');
      await writeFile(join(scene.folder, 'file.txt'), HOSTILE);
      const chat = await scene.terminal(100, 40);
      const { tmux } = chat;
      const outside = await tmux.outside();
      await chat.start('--strategy eager', flag);
      await tmux.paste(HOSTILE);
      await chat.say(' read @file.txt now');
      await tmux.shows(/Run hands__do/);
      await chat.answer();
      await tmux.shows('One-done.');
      await tmux.type('', 'C-o');
      for (const command of [
        '/tools',
        '/sessions',
        '/context',
        '/cost',
        '/tree',
        '/model nobody/x',
      ]) {
        await chat.say(command);
        await tmux.shows(/[●*] tools/);
      }
      await tmux.shows('address of nobody');
      await chat.say('/model anthropic/claude-opus-5-5');
      await chat.say('Next');
      await tmux.shows('Refused-here');
      await chat.say('Last');
      await tmux.shows('Two-done.');
      await chat.quit();
      const next = await scene.terminal(100, 40);
      await next.start('-c', flag);
      await next.tmux.shows('Two-done.');
      await next.tmux.type('', 'C-r');
      await next.tmux.shows('Search what you wrote');
      await next.tmux.type('', 'Enter');
      await next.tmux.until('the input', (screen) => !screen.includes('Search what you wrote'));
      // Another program writes into the input.
      await next.tmux.type('', 'C-g');
      await next.tmux.shows('edited');
      await next.tmux.type('', 'C-c');
      await next.say('/resume');
      await next.tmux.shows('Choose a session');
      await next.tmux.type('', 'Enter');
      await next.tmux.shows('Two-done.');
      await next.quit();
      for (const one of [tmux, next.tmux]) {
        assert.deepEqual(hostileIn(await one.bytes()), []);
        assert.equal(await one.outside(), outside);
      }
    });
  }
});
