import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import type { Chat } from '../../src/chat/open-chat.ts';
import { ChatUi } from '../../src/chat-terminal/chat-ui.ts';
import { themeWith } from '../../src/chat-view/theme.ts';
import { createAsker } from '../../src/questions/asker.ts';
import { openHost } from '../chat/host.test-support.ts';
import { WrittenTerminal } from './written-terminal.test-support.ts';

/** A chat whose host is not there yet. */
function loadingChat(context: TestContext, prompt?: string) {
  const terminal = new WrittenTerminal();
  const stop = new AbortController();
  const { promise: opening, resolve, reject } = Promise.withResolvers<Chat>();
  const ui = new ChatUi({ theme: themeWith(false), isInline: false, terminal, prompt });
  const ended = ui.run(() => opening, stop.signal);
  context.after(async () => {
    stop.abort();
    await ended.catch(() => {});
  });
  return { ui, terminal, ended, resolve, reject };
}

const limited = { timeout: 20_000 };
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

describe('a chat that is being loaded', limited, () => {
  test('is drawn, and takes messages and commands that wait for it', async (context) => {
    const { terminal, ended, resolve } = loadingChat(context, 'From the command line');
    assert.match(terminal.written, /❯ From the command line.*○ loading/s);
    for (const key of ['First', '\r', '/strategy eager', '\r', 'not sent']) terminal.type(key);
    await terminal.shows('not sent');
    await using chat = await openHost({ script: () => ({ text: 'Yes.' }) });
    resolve(chat.host);
    const { requests } = chat.server;
    // What was typed meanwhile may go with the first request, or behind its answer.
    while (!requests.some(({ raw }) => raw.includes('First')) || chat.host.talk.state !== 'idle')
      await wait(10);
    const before = requests.length;
    assert.match(requests[0]?.raw ?? '', /From the command line/);
    assert.match(requests.at(-1)?.raw ?? '', /From the command line.*First/s);
    assert.equal(chat.host.settings.choices.strategy, 'eager');
    // What was not sent is still in the input: a further key belongs to it.
    terminal.type('!\r');
    while (requests.length === before) await wait(10);
    assert.match(requests.at(-1)?.raw ?? '', /not sent!/);
    terminal.type(CTRL_D);
    await ended;
  });

  test('keeps messages that cannot be sent without a model', async (context) => {
    const { terminal, ended, resolve } = loadingChat(context);
    for (const key of ['First', '\r', 'more']) terminal.type(key);
    await using chat = await openHost({ isUnnamed: true });
    resolve(chat.host);
    // The message waits above the input, and a command is typed below it.
    assert.match(await terminal.shows('No model is chosen'), /↑ First/);
    terminal.type(CTRL_C);
    await terminal.shows('First');
    for (let count = 0; count < 3; count += 1) terminal.type(CTRL_C);
    await ended;
  });

  test('gives messages back with Ctrl-C, and ends with two more', async (context) => {
    const { terminal, ended } = loadingChat(context);
    for (const key of ['Mine', '\r']) terminal.type(key);
    await terminal.shows('❯ Mine');
    terminal.type(CTRL_C);
    await terminal.shows('Mine');
    terminal.type(CTRL_C);
    terminal.type(CTRL_C);
    await terminal.shows('Press Ctrl-C again');
    terminal.type(CTRL_C);
    await ended;
    assert.equal(terminal.isOn, false);
  });

  test('shows a command that takes a while, until it has ended', async (context) => {
    const { terminal, ended, resolve } = loadingChat(context);
    const gate = Promise.withResolvers<void>();
    const script = [{ text: 'Because.', hold: gate.promise }];
    await using chat = await openHost({ script });
    resolve(chat.host);
    await terminal.shows('│ demo/scripted');
    for (const key of ['/quick Why?', '\r']) terminal.type(key);
    await terminal.shows('↑ /quick Why? · Esc cancels');
    gate.resolve();
    await terminal.shows('Because.');
    terminal.type(CTRL_D);
    await ended;
  });

  test('ends with Ctrl-C, although the store does not let a cancelled turn begin', async (context) => {
    const { terminal, ended, resolve } = loadingChat(context);
    const gate = Promise.withResolvers<void>();
    const store = memoryStore();
    const begun = Promise.withResolvers<void>();
    const acquire: typeof store.acquire = async (...given) => {
      begun.resolve();
      await gate.promise;
      return store.acquire(...given);
    };
    await using chat = await openHost({ store: { ...store, acquire } });
    resolve(chat.host);
    await terminal.shows('│ demo/scripted');
    for (const key of ['Hello', '\r']) terminal.type(key);
    await begun.promise;
    terminal.type(CTRL_C);
    await terminal.shows('Cancelled.');
    terminal.type(CTRL_C);
    await terminal.shows('Press Ctrl-C again');
    terminal.type(CTRL_C);
    await ended;
    assert.equal(terminal.isOn, false);
    gate.resolve();
  });

  test('shows no question while a list takes the keys', async (context) => {
    const { ui, terminal, ended, resolve } = loadingChat(context);
    await using chat = await openHost();
    resolve(chat.host);
    await terminal.shows('│ demo/scripted');
    for (const key of ['/role', '\r']) terminal.type(key);
    await terminal.shows('Choose the role');
    const { ask } = chat.host.questions;
    const asker = createAsker({ ask, signal: new AbortController().signal, note: () => {} });
    const answer = asker.approve({ id: 'c', name: 'mail__send', arguments: {}, askedBy: 'hook' });
    while (!chat.host.questions.open) await wait(1);
    const question = /A question comes|Run mail__send/;
    assert.doesNotMatch(ui.render(80).join('\n'), question);
    terminal.press('\u001B');
    assert.match(ui.render(80).join('\n'), question);
    chat.host.questions.open.dismiss();
    await assert.rejects(answer);
    terminal.type(CTRL_D);
    await ended;
  });

  test('leaves the terminal when it cannot be opened', async (context) => {
    const { terminal, ended, reject } = loadingChat(context);
    terminal.type('Hello');
    reject(new Error('the file is wrong'));
    await assert.rejects(ended, /the file is wrong/);
    assert.deepEqual([terminal.isDrained, terminal.isOn], [true, false]);
  });
});
