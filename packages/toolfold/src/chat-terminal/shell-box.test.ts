import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openHost } from '../../test/chat/host.test-support.ts';
import { WrittenTerminal } from '../../test/chat-terminal/written-terminal.test-support.ts';
import { themeWith } from '../chat-view/theme.ts';
import { ChatUi } from './chat-ui.ts';

const CTRL_C = '\u0003';
const ESCAPE = '\u001B';

/** A chat on a terminal. */
async function opened(
  context: TestContext,
  { prompt, ...options }: Parameters<typeof openHost>[0] & { readonly prompt?: string } = {},
) {
  const chat = await openHost(options);
  const terminal = new WrittenTerminal();
  const stop = new AbortController();
  const ui = new ChatUi({ theme: themeWith(false), isInline: false, terminal, prompt });
  const ended = ui.run(async () => chat.host, stop.signal);
  context.after(async () => {
    stop.abort();
    await ended;
    await chat[Symbol.asyncDispose]();
  });
  await terminal.shows('tools');
  const made = (name: string) => existsSync(join(chat.folder, name));
  return { ...chat, terminal, made };
}

/** Types a line, and presses Enter as people do. */
async function say(terminal: WrittenTerminal, text: string): Promise<void> {
  terminal.type(text);
  await wait(30);
  terminal.press('\r');
}

const until = async (what: () => boolean) => {
  while (!what()) await wait(5);
};

describe('a line with ! in the message box', { timeout: 30_000 }, () => {
  test('runs in the folder of the session, and the model gets nothing of it', async (context) => {
    const { terminal, server, made } = await opened(context);
    terminal.type('!');
    await terminal.shows('Enter runs it in your shell.');
    await say(terminal, 'echo o$((20+2))t; touch made; exit 4');
    const shown = await terminal.shows('exit code 4');
    assert.match(shown, /\$ echo .*o22t.*\/add/s);
    assert.ok(made('made'));
    assert.equal(server.requests.length, 0);
    await say(terminal, '/add Why?');
    await until(() => server.requests.length === 1);
    assert.match(server.requests[0]?.raw ?? '', /Why\?.*o22t/);
  });

  test('is shown as it goes, and Esc and Ctrl-C end it', async (context) => {
    const { terminal } = await opened(context);
    for (const key of [ESCAPE, CTRL_C]) {
      await say(terminal, '!echo beg$((1))un; sleep 600');
      await terminal.shows('· Esc cancels');
      terminal.press(key);
      assert.match(await terminal.shows('ended by SIGTERM'), /beg1un/);
    }
  });

  test('runs beside a turn: Esc ends the command, then the turn', async (context) => {
    const { terminal, host, server } = await opened(context, {
      script: () => ({ text: 'Never.', hold: new Promise(() => {}) }),
    });
    await say(terminal, 'Hello');
    await until(() => server.requests.length === 1);
    await say(terminal, '!echo q$((4))k');
    await terminal.shows('q4k');
    assert.equal(host.talk.state, 'running');
    await say(terminal, '!sleep 600');
    await terminal.shows('!sleep 600 · Esc cancels');
    terminal.press(ESCAPE);
    await terminal.shows('ended by SIGTERM');
    assert.ok(host.talk.canCancel);
    terminal.press(ESCAPE);
    await until(() => host.talk.state === 'idle');
  });

  for (const [what, keys] of [
    ['before other lines', '!touch made\rmore'],
    ['behind other lines', 'Please:\r!touch made\r'],
    ['between commands', '!touch other\r!touch made\r'],
  ] as const)
    test(`does not run out of a paste that comes as keys, ${what}`, async (context) => {
      const { terminal, made } = await opened(context);
      terminal.type(keys);
      await terminal.shows('Not run, because it came with other lines');
      await wait(60);
      assert.ok(!made('made') && !made('other'));
    });

  test('is a message in a paste of several lines, and one line waits for Enter', async (context) => {
    const { terminal, server, made } = await opened(context);
    terminal.press('\u001B[200~!touch made\ntouch other\n\u001B[201~');
    await wait(30);
    terminal.press('\r');
    await until(() => server.requests.length === 1);
    assert.match(server.requests[0]?.raw ?? '', /!touch made\\ntouch other/);
    terminal.press('\u001B[200~!touch made\u001B[201~');
    await terminal.shows('Enter runs it in your shell.');
    assert.ok(!made('made'));
    await wait(30);
    terminal.press('\r');
    await until(() => made('made'));
  });

  test('is a message from the command line', async (context) => {
    const { server, made } = await opened(context, { prompt: '!touch made' });
    await until(() => server.requests.length === 1);
    assert.match(server.requests[0]?.raw ?? '', /!touch made/);
    assert.ok(!made('made'));
  });

  test('does not run when it comes back from the queue, or from a draft', async (context) => {
    const { terminal, host, made, server } = await opened(context, {
      script: () => ({ text: 'Never.', hold: new Promise(() => {}) }),
    });
    await say(terminal, 'Hello');
    await until(() => server.requests.length === 1);
    host.talk.say('!touch made', { when: 'after' });
    terminal.press(ESCAPE);
    await terminal.shows('!touch made');
    await until(() => host.talk.state === 'idle');
    await wait(60);
    assert.ok(!made('made'));
    assert.equal(server.requests.length, 1);
    terminal.press('\r');
    await until(() => made('made'));
  });
});

test('a line with ! waits for the chat that is being loaded, in the message box', async (context) => {
  const terminal = new WrittenTerminal();
  const stop = new AbortController();
  const ui = new ChatUi({ theme: themeWith(false), isInline: false, terminal });
  const ended = ui.run(() => new Promise(() => {}), stop.signal);
  context.after(async () => {
    stop.abort();
    await ended;
  });
  await say(terminal, '!touch made');
  await terminal.shows('Enter runs the command then.');
  assert.ok(!existsSync('made'));
});
