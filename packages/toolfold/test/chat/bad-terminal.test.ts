// test: slow
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { chatScene, limited, lostLines } from './chat.test-support.ts';
import { does, hands } from './hands.test-support.ts';
import { withoutTmux } from './tmux.test-support.ts';

const servers = async (folder: string) => ({ hands: (await hands(folder)).entry });

suite('a terminal on a bad day', { skip: withoutTmux }, () => {
  test('stdin is closed, or at its end', limited, async (context) => {
    const scene = await chatScene(context, []);
    const { tmux } = await scene.terminal();
    for (const [input, name] of [
      ['< /dev/null', 'ended'],
      ['<&-', 'closed'],
    ]) {
      await tmux.type(`chat ${input}; echo "${name} $?"`, 'Enter');
      await tmux.shows(`\n${name} 0\n`);
    }
  });

  test('no colours with NO_COLOR', limited, async (context) => {
    const text = '# Title\n\n**bold** `code` [link](https://example.com)\n\n```js\nlet a;\n```';
    const script = [
      { calls: [does('text', { text: 'words' })] },
      { text },
      { error: { status: 400, body: 'no' } },
    ];
    const scene = await chatScene(context, script, { servers, env: { NO_COLOR: '1' } });
    const chat = await scene.terminal();
    await chat.start('--strategy eager');
    await chat.say('Do it');
    await chat.tmux.shows(/Run hands__do/);
    await chat.answer();
    await chat.tmux.shows('let a;');
    await chat.say('/help');
    await chat.tmux.shows('/export');
    await chat.say('Fail');
    await chat.tmux.shows(/\bno\b/);
    // The bar at the side is shown while the conversation scrolls.
    await chat.tmux.type('', 'PPage');
    await chat.tmux.shows('┃');
    await chat.quit();
    const bytes = await chat.tmux.bytes();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: styles are what is looked for
    const styles = new Set(bytes.match(/\u001B\[[\d;:]*m/g));
    // The end of all styles, and the cursor, which is reversed.
    for (const style of ['\u001B[0m', '\u001B[7m', '\u001B[27m']) styles.delete(style);
    assert.deepEqual([...styles], []);
  });

  test('ASCII only without UTF-8', limited, async (context) => {
    const text = '- 日本語 😀 é “quoted” – dash…\n\n| a | b |\n|---|---|\n| 1 | 二 |\n\nThe end.';
    const script = [{ calls: [does('text', { text: 'wörter' })] }, { text }];
    const scene = await chatScene(context, script, { servers, env: { LANG: 'C' } });
    const chat = await scene.terminal();
    await chat.start('--strategy eager');
    await chat.say('Do it');
    await chat.tmux.shows(/Run hands__do/);
    await chat.answer();
    await chat.tmux.shows('The end.');
    await chat.say('/help');
    await chat.tmux.shows('/export');
    await chat.quit();
    const bytes = await chat.tmux.bytes();
    assert.deepEqual(new Set(bytes.match(/[^\0-\u007F]/g)), new Set());
  });

  for (const flag of ['', '--inline']) {
    test(`Ctrl-Z and fg ${flag}`, limited, async (context) => {
      const gate = Promise.withResolvers<void>();
      const script = [{ text: 'One.' }, { text: 'Two.', hold: gate.promise }];
      const scene = await chatScene(context, script);
      const chat = await scene.terminal();
      const { tmux } = chat;
      await chat.start(flag);
      await chat.say('First');
      await tmux.shows('One.');
      await chat.say('Second');
      await tmux.shows('working');
      await tmux.type('typed', 'C-z');
      await tmux.shows('Stopped');
      await tmux.type('echo in the "shell"', 'Enter');
      await tmux.shows('in the shell');
      gate.resolve();
      await tmux.type('fg; echo "code $?"', 'Enter');
      await tmux.shows('Two.');
      await tmux.shows('typed');
      await tmux.type('', 'C-c', 'C-d');
      await chat.ended();
      const lines = await tmux.scrollback();
      assert.deepEqual(lostLines(lines), [], lines);
      assert.match(lines, /in the shell\n/);
      assert.equal(lines.split('Two.').length, 2, lines);
    });
  }

  test('Ctrl-Z and fg while nothing runs', limited, async (context) => {
    const scene = await chatScene(context, [{ text: 'Here again.' }]);
    const chat = await scene.terminal();
    const { tmux } = chat;
    await chat.start();
    await tmux.type('', 'C-z');
    await tmux.shows('Stopped');
    await tmux.type('fg; echo "code $?"', 'Enter');
    await tmux.until('the chat', (screen) => !screen.includes('Stopped'));
    await chat.say('Hello');
    await tmux.shows('Here again.');
    const lines = await chat.quit();
    assert.deepEqual(lostLines(lines), [], lines);
  });

  test('a paste of 1 MB is sent whole', limited, async (context) => {
    const scene = await chatScene(context, [{ text: 'Read.' }]);
    const chat = await scene.terminal();
    await chat.start();
    const line = `${'0123456789'.repeat(7)}\n`;
    const pasted = `${line.repeat(Math.ceil(1_000_000 / line.length))}pasted-end`;
    await chat.tmux.paste(pasted);
    await chat.tmux.shows(/\[paste #1/);
    await chat.say(' and this');
    const screen = await chat.tmux.shows('Read.');
    assert.match(screen, /… [\d,]+ lines more/);
    const [request] = scene.model.requests;
    assert.ok(request?.raw.includes(JSON.stringify(`${pasted} and this`).slice(1, -1)));
    await chat.quit();
  });
});
