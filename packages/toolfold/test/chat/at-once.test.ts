// test: slow
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { chatScene, limited } from './chat.test-support.ts';
import { does, hands } from './hands.test-support.ts';
import { withoutTmux } from './tmux.test-support.ts';

/** A server that never answers. */
const hanging = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] };

suite('what the user sees at once', { skip: withoutTmux }, () => {
  test(
    'a message, before its agent is ready, beside a server that hangs',
    limited,
    async (context) => {
      const scene = await chatScene(context, [{ text: 'Hello.' }], { servers: { hanging } });
      const chat = await scene.terminal();
      await chat.start('"From the command line"');
      const screen = await chat.tmux.shows('❯ From the command line');
      assert.doesNotMatch(screen, /↑ From/);
      assert.equal(scene.model.requests.length, 0);
      await chat.say('The next one');
      await chat.tmux.shows('↑ The next one');
      await chat.tmux.shows('Hello.');
      await chat.quit();
    },
  );

  test('a mark for what is below, and the end after sending', limited, async (context) => {
    const gate = Promise.withResolvers<void>();
    const lines = Array.from({ length: 60 }, (_, at) => `Line ${at}.`).join('\n\n');
    const pace = (sent: number) => (sent === 40 ? gate.promise : undefined);
    const scene = await chatScene(context, [
      { text: lines, pace, chunkSize: 10 },
      { text: 'End.' },
    ]);
    const chat = await scene.terminal();
    await chat.start();
    await chat.say('Many');
    await chat.tmux.shows('Line 38.');
    await chat.tmux.type('', 'PPage');
    await chat.tmux.shows('↓ more below · End');
    gate.resolve();
    await chat.tmux.shows('↓ new below · End');
    await chat.say('Another');
    const screen = await chat.tmux.shows('End.');
    assert.doesNotMatch(screen, /below · End/);
    await chat.quit();
  });

  test('a file that cannot be attached, and the message in the box', limited, async (context) => {
    const scene = await chatScene(context, () => ({ text: 'Read.' }));
    await writeFile(join(scene.folder, 'large.txt'), 'x'.repeat(200_001));
    const chat = await scene.terminal();
    await chat.start();
    await chat.say('Read @large.txt now');
    await chat.tmux.shows('large.txt is not attached: it has 200,001 bytes');
    await chat.tmux.shows(/^Read @large\.txt now/m);
    assert.equal(scene.model.requests.length, 0);
    await chat.tmux.type('', 'Enter');
    await chat.tmux.shows(/^Read\./m);
    await chat.quit();
    const { code, stderr } = await scene.pipe('Read @large.txt now\n');
    assert.equal(code, 2, stderr);
    assert.match(stderr, /large\.txt is not attached.*\nThe message was not sent\./);
    assert.equal(scene.model.requests.length, 1);
  });

  test('how to go on with the session, when the chat has ended', limited, async (context) => {
    const scene = await chatScene(context, () => ({ text: 'Yes.' }));
    const chat = await scene.terminal();
    await chat.start();
    await chat.say('Hello');
    await chat.tmux.shows('Yes.');
    const [, id = ''] = /toolfold chat -r (\S+)/.exec(await chat.quit()) ?? assert.fail();
    const again = await scene.terminal();
    await again.start(`-r ${id}`);
    await again.tmux.shows('❯ Hello');
    await again.quit();
  });

  test('plain lines, where the terminal has no escape sequences', limited, async (context) => {
    const scene = await chatScene(context, () => ({ text: 'Yes.' }), { env: { TERM: 'dumb' } });
    const { tmux } = await scene.terminal();
    await tmux.type('chat', 'Enter');
    await tmux.shows('/help shows commands');
    await tmux.type('Hello', 'Enter');
    await tmux.shows(/^Yes\./m);
    assert.ok(!(await tmux.bytes()).includes('\u001B[?1049h'));
    await tmux.type('', 'C-d');
  });

  test(
    'plain lines ask, and only lines behind the question answer it',
    limited,
    async (context) => {
      const gate = Promise.withResolvers<void>();
      const call = { calls: [does('text', { text: 'a-result' })] };
      const first = { text: 'One.', hold: gate.promise };
      const [done, over, last] = [{ text: 'Done.' }, { text: 'Over.' }, { text: 'Last.' }];
      const script = [first, call, done, call, over, last];
      const servers = async (folder: string) => ({ hands: (await hands(folder)).entry });
      const scene = await chatScene(context, script, { servers, env: { TERM: 'dumb' } });
      const chat = await scene.terminal();
      const { tmux } = chat;
      await tmux.type('chat --strategy eager', 'Enter');
      await tmux.shows('/help shows commands');
      // What is typed before a question opens is a message.
      await tmux.type('First', 'Enter');
      await tmux.type('y', 'Enter');
      gate.resolve();
      await tmux.shows(/Run hands__do\? y: once/);
      await tmux.type('stop', 'Enter');
      await tmux.shows(/Run hands__do\?[\s\S]*Run hands__do\? y: once/);
      await tmux.type('y', 'Enter');
      await tmux.shows(/^Done\./m);
      assert.match(scene.model.requests[1]?.raw ?? '', /"y"/);
      // What waits for an approval in a session is asked when it is opened again.
      await tmux.type('Again', 'Enter');
      await tmux.shows(/Again[\s\S]*Run hands__do\? y: once/);
      process.kill(chat.pid, 'SIGKILL');
      await tmux.shows('Killed');
      await tmux.type('clear; chat --strategy eager -c', 'Enter');
      await tmux.shows('Go on with it? y: yes, n: no');
      // The second line comes before the next question, so it is no answer to it.
      await tmux.type('y', 'Enter', 'y', 'Enter');
      await tmux.shows(/Go on with it\?[\s\S]*Run hands__do\? y: once/);
      await tmux.type('n', 'Enter');
      await tmux.shows(/^Over\./m);
      assert.match(scene.model.requests[4]?.raw ?? '', /denied/);
      await tmux.shows(/^Last\./m);
      await tmux.type('', 'C-d');
    },
  );
});
