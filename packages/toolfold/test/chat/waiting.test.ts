// test: slow
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type ChatTerminal, chatScene, limited } from './chat.test-support.ts';
import { eventually, withoutTmux } from './tmux.test-support.ts';

const held = { text: 'Never.', hold: new Promise(() => {}) };
const LEFT = 'What waited when the chat ended';

const kill = async (chat: ChatTerminal) => {
  process.kill(chat.pid, 'SIGKILL');
  await chat.ended();
};

suite('what stands in the message box when the window of the chat is closed', {
  skip: withoutTmux,
}, () => {
  for (const signals of [
    ['SIGHUP'],
    ['SIGTERM'],
    ['SIGHUP', 'SIGTERM'],
    ['SIGTERM', 'SIGTERM'],
    ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGTERM'],
  ] as const)
    test(`${signals.join(' and ')}: is there again, and is not sent`, limited, async (context) => {
      const scene = await chatScene(context, [{ text: 'One.' }, { text: 'Two.' }]);
      const first = await scene.terminal();
      await first.start();
      await first.say('First');
      await first.tmux.shows('One.');
      await first.tmux.type('Half a sen');
      await first.tmux.shows('Half a sen');
      const { pid } = first;
      for (const signal of signals) process.kill(pid, signal);
      await first.ended();
      const next = await scene.terminal();
      await next.start('-c');
      const screen = await next.tmux.shows('Half a sen');
      assert.doesNotMatch(screen, /↑|❯ Half/);
      assert.equal(scene.model.requests.length, 1);
      await next.tmux.type('tence', 'Enter');
      await next.tmux.shows('Two.');
      await next.tmux.shows('❯ Half a sentence');
      await next.quit();
      const after = await scene.terminal();
      await after.start('-c');
      await after.tmux.shows('Two.');
      assert.doesNotMatch(await after.tmux.screen(), /Half a sen$/m);
      await after.quit();
    });
});

test('Ctrl-C empties the box, and Up brings its text back', {
  ...limited,
  skip: withoutTmux,
}, async (context) => {
  const scene = await chatScene(context, [{ text: 'One.' }]);
  const chat = await scene.terminal();
  await chat.start();
  await chat.say('First');
  await chat.tmux.shows('One.');
  await chat.tmux.type('Half a sen');
  await chat.tmux.shows('Half a sen');
  await chat.tmux.type('', 'C-c');
  await chat.tmux.until('an empty box', (screen) => !screen.includes('Half a sen'));
  await chat.tmux.type('', 'Up');
  await chat.tmux.shows('Half a sen');
  await chat.tmux.type('', 'C-c', 'C-c', 'C-c');
  await chat.tmux.shows('code 0');
});

suite('messages that waited when the chat ended', { skip: withoutTmux }, () => {
  test(
    'kill -9, twice: nobody else sends them, and a turn that goes on does, once',
    limited,
    async (context) => {
      const replies = ['Seen.', 'Two.'].map((text) => ({ text }));
      const scene = await chatScene(context, [held, ...replies]);
      const first = await scene.terminal();
      await first.start();
      await first.say('First');
      await eventually('the request', () => scene.model.requests.length === 1);
      await first.say('and then this');
      await first.say('and that');
      await first.tmux.shows(/↑ and then this\n↑ and that/);
      const watching = await scene.terminal();
      await watching.start('-c');
      const seen = await watching.tmux.shows('another process works here');
      assert.doesNotMatch(seen, /and then this/);
      await kill(first);
      // The other one may go on with the turn. It sends no message that is not its own.
      await watching.answer();
      await watching.tmux.shows('Seen.');
      assert.equal(scene.model.requests.length, 2);
      await watching.quit();
      const next = await scene.terminal();
      await next.start('-c');
      await next.tmux.shows(/↑ and then this\n↑ and that/);
      await next.tmux.shows(LEFT);
      await kill(next);
      const last = await scene.terminal();
      await last.start('-c');
      await last.tmux.shows(/↑ and then this\n↑ and that/);
      assert.equal(scene.model.requests.length, 2);
      await last.say('more');
      // All that waits goes with one request: the turn that runs takes it.
      const screen = await last.tmux.shows('Two.');
      const places = ['❯ and then this', '❯ and that', '❯ more'].map((words) =>
        screen.indexOf(words),
      );
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
        screen,
      );
      assert.equal(scene.model.requests.length, 3);
      await last.quit();
      const after = await scene.terminal();
      await after.start('-c');
      await after.tmux.shows('Two.');
      assert.doesNotMatch(await after.tmux.screen(), /↑/);
      await after.quit();
    },
  );

  test(
    'an end of the chat keeps them too, Esc brings them into the input',
    limited,
    async (context) => {
      const scene = await chatScene(context, [held, { text: 'Later.' }]);
      const first = await scene.terminal();
      await first.start();
      await first.say('First');
      await eventually('the request', () => scene.model.requests.length === 1);
      await first.say('and then this');
      await first.tmux.shows('↑ and then this');
      await first.quit();
      const next = await scene.terminal();
      await next.start('-c');
      await next.tmux.shows('↑ and then this');
      await next.tmux.type('', 'Escape');
      await next.tmux.shows(/^and then this/m);
      await next.tmux.type(' too', 'Enter');
      await next.tmux.shows('Later.');
      await next.tmux.shows('❯ and then this too');
      await next.quit();
    },
  );
});
