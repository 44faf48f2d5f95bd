// test: slow
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { chatScene, limited, lostLines } from './chat.test-support.ts';
import { does, hands } from './hands.test-support.ts';
import { eventually, withoutTmux } from './tmux.test-support.ts';

const servers = async (folder: string) => ({ hands: (await hands(folder)).entry });

/** Bytes of a large result: 50 MB take ten seconds. */
const isFull = process.env.TOOLFOLD_TEST_FULL !== undefined;
const LARGE = isFull ? 50_000_000 : 5_000_000;

suite('a chat on a bad day', { skip: withoutTmux }, () => {
  test(`a tool that answers with ${LARGE / 1_000_000} MB`, limited, async (context) => {
    const gate = Promise.withResolvers<void>();
    const scene = await chatScene(
      context,
      [{ calls: [does('flood', { size: LARGE })] }, { text: 'Read.', hold: gate.promise }],
      { servers },
    );
    const chat = await scene.terminal();
    await chat.start('--strategy eager --allow "hands__*"');
    await chat.say('Flood');
    await chat.tmux.shows(/hands__do/);
    await chat.tmux.type('typed-meanwhile');
    await chat.tmux.shows('typed-meanwhile');
    gate.resolve();
    await chat.tmux.shows('Read.');
    await chat.tmux.type('', 'C-c');
    await chat.quit();
  });

  test('a provider that is busy, said before it is asked again', limited, async (context) => {
    const busy = { error: { status: 429, body: 'Later.' } };
    const scene = await chatScene(context, [busy, { text: 'Hello.' }]);
    const chat = await scene.terminal();
    await chat.start();
    await chat.say('Hi');
    await chat.tmux.shows(
      'The provider is busy (status 429). It is asked again after 2 s (attempt 2).',
    );
    assert.equal(scene.model.requests.length, 1);
    await chat.tmux.shows('Hello.');
    await chat.quit();
  });

  test(
    'a provider that says when: the rest of the wait, and Esc ends it',
    limited,
    async (context) => {
      const later = (seconds: string) => ({
        error: { status: 429, body: 'Later.', headers: { 'retry-after': seconds } },
      });
      const scene = await chatScene(context, [later('119'), later('300'), { text: 'Hello.' }]);
      const chat = await scene.terminal();
      await chat.start();
      await chat.say('Hi');
      await chat.tmux.shows('It is asked again after 119 s (attempt 2).');
      await chat.tmux.shows(/is asked again in 11[0-8] s, Esc cancels/);
      await chat.tmux.type('', 'Escape');
      await chat.tmux.shows('Cancelled.');
      assert.equal(scene.model.requests.length, 1);
      // Nobody waits for five minutes.
      await chat.say('/continue');
      await chat.tmux.shows('It may be asked again in 5 minutes.');
      await chat.say('/continue');
      await chat.tmux.shows('Hello.');
      assert.equal(scene.model.requests.length, 3);
      await chat.quit();
    },
  );

  test(
    'a key that is refused: only a chat that is started again has another one',
    limited,
    async (context) => {
      const scene = await chatScene(context, [{ text: 'Hello.' }]);
      const keys: unknown[] = [];
      const provider = createServer(async (request, response) => {
        keys.push(request.headers['x-api-key']);
        const isKnown = keys.at(-1) === 'sk-another-0123456789';
        const url = `${scene.model.baseUrl('anthropic')}/messages`;
        const body = await text(request);
        const answer = isKnown ? await fetch(url, { method: 'POST', body }) : new Response('{}');
        const type = answer.headers.get('content-type') ?? 'application/json';
        response.writeHead(isKnown ? answer.status : 401, { 'content-type': type });
        response.end(await answer.text());
      }).listen(0, '127.0.0.1');
      context.after(() => provider.close());
      await once(provider, 'listening');
      const { port } = provider.address() as AddressInfo;
      const flag = `--base-url http://127.0.0.1:${port}`;
      const chat = await scene.terminal(200);
      await chat.start(flag);
      await chat.say('Hi');
      await chat.tmux.shows('With a new key, start it again with toolfold chat -c');
      for (const model of ['claude-opus-5-5', 'claude-sonnet-4-5']) {
        const before = keys.length;
        await chat.say(`/model anthropic/${model}`);
        await chat.say('/continue');
        await eventually('the same key', () => keys.length > before);
      }
      await chat.quit();
      await chat.tmux.type('export ANTHROPIC_API_KEY=sk-another-0123456789', 'Enter');
      await chat.start('-c', flag);
      await chat.say('/continue');
      await chat.tmux.shows('Hello.');
      await chat.quit();
      const first = 'sk-never-to-be-shown-0123456789';
      assert.deepEqual(keys, [first, first, first, 'sk-another-0123456789']);
    },
  );

  for (const flag of ['', '--inline']) {
    test(`an answer of 10,000 lines ${flag}`, limited, async (context) => {
      const lines = Array.from({ length: 10_000 }, (_, at) => `Line ${at} of **many**.`);
      const gate = Promise.withResolvers<void>();
      const reply = {
        ...{ text: lines.join('\n\n'), chunkSize: 200 },
        pace: (sent: number) => (sent === 1200 ? gate.promise : undefined),
      };
      const scene = await chatScene(context, [reply]);
      const chat = await scene.terminal();
      await chat.start(flag);
      await chat.say('Many');
      await chat.tmux.shows(/Line \d+ of many/);
      await chat.tmux.type('typed-meanwhile');
      await chat.tmux.shows('typed-meanwhile');
      gate.resolve();
      await chat.tmux.shows('Line 9999 of many.');
      await chat.tmux.type('', 'C-c');
      const all = await chat.quit();
      assert.ok(all.includes('Line 9999 of many.'), all);
    });
  }

  test('two chats on one session', limited, async (context) => {
    const gate = Promise.withResolvers<void>();
    const scene = await chatScene(context, [
      { text: 'One.' },
      { text: 'Two.', hold: gate.promise },
      { text: 'Three.' },
    ]);
    const first = await scene.terminal();
    await first.start();
    await first.say('message-one');
    await first.tmux.shows('One.');
    const second = await scene.terminal(120);
    await second.start('-c');
    await second.tmux.shows('One.');
    await first.say('message-two');
    await second.tmux.shows('another process');
    await second.tmux.shows('message-two');
    await second.say('message-three');
    await second.tmux.shows('↑ message-three');
    assert.equal(scene.model.requests.length, 2);
    gate.resolve();
    await first.tmux.shows('Two.');
    await second.tmux.shows('Three.');
    await first.tmux.shows('Three.');
    for (const one of [first, second]) {
      const lines = await one.quit();
      for (const words of ['❯ message-one', 'Two.', '❯ message-three', 'Three.'])
        assert.equal(lines.split(words).length, 2, `${words}\n${lines}`);
    }
  });

  test('two chats on one session: the second one approves', limited, async (context) => {
    const script = [
      { text: 'One.' },
      { calls: [does('text', { text: 'a-result' })] },
      { text: 'Two.' },
    ];
    const scene = await chatScene(context, script, { servers });
    const first = await scene.terminal();
    await first.start('--strategy eager');
    await first.say('First');
    await first.tmux.shows('One.');
    const second = await scene.terminal();
    await second.start('-c --strategy eager');
    await second.tmux.shows('One.');
    await first.say('Do it');
    await first.tmux.shows(/Run hands__do/);
    await second.tmux.shows(/Run hands__do/);
    await second.answer();
    for (const one of [first, second]) {
      await one.tmux.shows('Two.');
      const lines = await one.quit();
      assert.equal(lines.split('● hands__do').length, 2, lines);
    }
  });

  test('SIGTERM leaves on the main screen how the turn ended', limited, async (context) => {
    const script = [{ calls: [does('text', { text: 'a-result' })] }];
    const scene = await chatScene(context, script, { servers });
    const chat = await scene.terminal();
    await chat.start('--inline --strategy eager');
    await chat.say('Hello');
    await chat.tmux.shows('Run hands__do?');
    process.kill(chat.pid, 'SIGTERM');
    const screen = await chat.tmux.shows('code 143');
    assert.match(screen, /○ hands__do not run.*\n\nCancelled\. \/continue goes on\.\n/);
    assert.doesNotMatch(screen, /waits for your answer/);
  });

  test('SIGTERM leaves the terminal as it was', limited, async (context) => {
    const scene = await chatScene(context, [{ text: 'Never.', hold: new Promise(() => {}) }]);
    const chat = await scene.terminal();
    await chat.start();
    await chat.say('Hello');
    await chat.tmux.shows('working');
    process.kill(chat.pid, 'SIGTERM');
    await chat.tmux.shows('code 143');
    await chat.tmux.type('echo typed "and shown"', 'Enter');
    await chat.tmux.shows(/echo typed "and shown"\ntyped and shown/);
    const lines = await chat.tmux.scrollback();
    assert.deepEqual(lostLines(lines), []);
    assert.match(lines, /❯ Hello\n/);
    const bytes = await chat.tmux.bytes();
    // The shell itself turns the marks of a paste on.
    for (const mode of ['1049', '1000', '1002', '1006'])
      assert.ok(
        bytes.lastIndexOf(`\u001B[?${mode}l`) > bytes.lastIndexOf(`\u001B[?${mode}h`),
        mode,
      );
    assert.ok(bytes.lastIndexOf('\u001B[?25h') > bytes.lastIndexOf('\u001B[?25l'));
  });

  test('a server that dies in the middle of a turn', limited, async (context) => {
    const scene = await chatScene(
      context,
      [{ calls: [does('die')] }, { text: 'It died.' }, { text: 'Still here.' }],
      { servers },
    );
    const chat = await scene.terminal();
    await chat.start('--strategy eager --allow "hands__*"');
    await chat.say('Die');
    await chat.tmux.shows('It died.');
    await chat.say('And now?');
    await chat.tmux.shows('Still here.');
    await chat.quit();
  });

  test('a clock that goes backwards', limited, async (context) => {
    const scene = await chatScene(
      context,
      [
        { calls: [does('text', { text: 'x' })] },
        { text: 'One.' },
        { text: 'Two.' },
        { text: 'Three.' },
      ],
      { servers, node: '--import ./clock.mjs' },
    );
    const clock = `const begun = Date.now(); let back = 0; Date.now = () => begun - 250 * back++;`;
    await writeFile(join(scene.folder, 'clock.mjs'), clock);
    const chat = await scene.terminal();
    await chat.start('--strategy eager --allow "hands__*"');
    await chat.say('First');
    await chat.tmux.shows('One.');
    await chat.say('Second');
    await chat.tmux.shows('Two.');
    await chat.quit();
    const next = await scene.terminal();
    await next.start('-c');
    await next.tmux.shows('Two.');
    await next.say('Third');
    await next.tmux.shows('Three.');
    await next.quit();
  });

  test('kill -9 in the middle of a turn', limited, async (context) => {
    const held = { text: 'Never.', hold: new Promise(() => {}) };
    const scene = await chatScene(context, [{ text: 'One.' }, held, { text: 'Resumed.' }]);
    const chat = await scene.terminal();
    await chat.start();
    await chat.say('First');
    await chat.tmux.shows('One.');
    await chat.say('Second');
    await chat.tmux.shows('working');
    process.kill(chat.pid, 'SIGKILL');
    await chat.ended();
    const next = await scene.terminal();
    await next.start('-c');
    await next.tmux.shows('Go on with it?');
    await next.tmux.shows('Second');
    await next.answer();
    const screen = await next.tmux.shows('Resumed.');
    for (const words of ['❯ First', 'One.', '❯ Second', 'Resumed.'])
      assert.equal(screen.split(words).length, 2, `${words}\n${screen}`);
    const lines = await next.quit();
    assert.match(lines, /… 1 turn before\. \/export/);
    for (const words of ['❯ Second', 'Resumed.'])
      assert.equal(lines.split(words).length, 2, `${words}\n${lines}`);
  });
});
