// test: slow
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../cli/process.test-support.ts';
import { chatScene, limited } from './chat.test-support.ts';
import { does, hands } from './hands.test-support.ts';
import { HOSTILE } from './hostile.test-support.ts';

const servers = async (folder: string) => ({ hands: (await hands(folder)).entry });
const eager = ['--strategy', 'eager'];

suite('toolfold chat in a pipe', () => {
  test('keys of other providers in the environment are never shown', limited, async (context) => {
    const key = 'other-key-of-a-provider-12345';
    // It comes in pieces, and no piece has the whole key.
    const replies = [{ text: `It is ${key}.`, chunkSize: 4 }, { text: 'Yes.' }];
    const scene = await chatScene(context, replies, {
      env: { OTHER_API_KEY: key },
    });
    const { stdout, stderr } = await scene.pipe('Which key?\n');
    assert.match(stdout, /It is \[redacted\]\./);
    assert.ok(!`${stdout}${stderr}`.includes(key));
  });

  test('ten messages, ten answers, no escape byte', limited, async (context) => {
    const answer = (number: number) => ({ text: `Answer ${number} ${HOSTILE}.` });
    const script = [
      { calls: [does('text', { text: HOSTILE })] },
      ...Array.from({ length: 10 }, (_, at) => answer(at + 1)),
    ];
    const { pipe, model } = await chatScene(context, script, { servers });
    const messages = Array.from({ length: 10 }, (_, at) => `Message ${at + 1} ${HOSTILE}`);
    const input = ['/cost', ...messages, '', '/cost', '/sessions', '/help'].join('\n');
    const { code, stdout, stderr } = await pipe(input, ...eager, '--allow', 'hands__*');
    assert.equal(code, 0, stderr);
    const answers = stdout.match(/^Answer \d+/gm);
    assert.deepEqual(
      answers,
      messages.map((_, at) => `Answer ${at + 1}`),
    );
    assert.equal(stdout.trimEnd().split('\n').length, 10, stdout);
    assert.equal(model.requests.length, 11);
    for (const control of ['\u001B', '\u009B', '\u009D', '\u0007']) {
      assert.ok(!stdout.includes(control), JSON.stringify(control));
      assert.ok(!stderr.includes(control), JSON.stringify(control));
    }
  });

  test('a line that begins with ! is a message: it runs nothing', limited, async (context) => {
    const { pipe, model } = await chatScene(context, () => ({ text: 'Seen.' }));
    const { stdout } = await pipe('!echo a$((1))b\n');
    assert.equal(stdout, 'Seen.\n');
    assert.match(model.requests[0]?.raw ?? '', /!echo a\$\(\(1\)\)b/);
  });

  test(
    'a chat that begins with a role without tools has the servers for the next role',
    limited,
    async (context) => {
      const { pipe } = await chatScene(context, [{ text: 'Yes.' }], { servers });
      const { stderr } = await pipe('/tools\n', '--role', 'chat');
      assert.match(stderr, /hands: /);
      assert.doesNotMatch(stderr, /No MCP servers are configured/);
    },
  );

  test('/tools finds what the search of the model finds', limited, async (context) => {
    const memory = {
      command: process.execPath,
      args: [
        fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js')),
      ],
    };
    const { pipe } = await chatScene(context, [{ text: 'Yes.' }], { servers: { memory } });
    const { stderr } = await pipe('Hello\n/tools remove\n/tools haiku\n', ...eager);
    assert.match(stderr, /^ {2}memory__delete_entities +Delete multiple entities/m);
    const rows = [...stderr.matchAll(/^ {2}memory__\w+ {2,}/gm)].map(([row]) => row.length);
    assert.ok(rows.length > 1 && new Set(rows).size === 1, stderr);
    assert.match(stderr, /No tool fits "haiku"\./);
  });

  test('4: a call needs an approval', limited, async (context) => {
    const scene = await chatScene(context, [{ calls: [does('text')] }], { servers });
    const flags = [...eager, '--config', 'toolfold.json'];
    const { code, stdout, stderr } = await scene.pipe('Do it\n', ...flags);
    assert.deepEqual([code, stdout], [4, ''], stderr);
    assert.match(stderr, /It waits for approval: hands__do/);
    // What is printed comes to the same place.
    const [, back = ''] = /toolfold (chat -r .*)$/m.exec(stderr) ?? assert.fail(stderr);
    assert.match(back, /^chat -r \w{8} --config toolfold.json --model \S+ --base-url \S+$/);
    const again = await run(scene.folder, back.split(' '), { env: scene.env, input: '/tools\n' });
    assert.match(again.stderr, /hands: /);
    assert.equal(again.code, 0, again.stderr);
  });

  test('1: the model fails; the messages behind it are still sent', limited, async (context) => {
    const failure = { error: { status: 400, body: 'no such thing' } };
    const { pipe } = await chatScene(context, [failure, { text: 'Better.' }]);
    const { code, stdout, stderr } = await pipe('One\nTwo\n');
    assert.deepEqual([code, stdout], [1, 'Better.\n'], stderr);
    assert.match(stderr, /no such thing/);
  });

  for (const [name, input, flags] of [
    ['an unknown flag', 'Hello\n', ['--no-such-flag']],
    ['a wrong value', 'Hello\n', ['--strategy', 'lucky']],
    ['an unknown command', '/nonsense\n', []],
    ['no session to go on with', 'Hello\n', ['-c']],
  ] as const) {
    test(`2: ${name}`, limited, async (context) => {
      const { pipe, model } = await chatScene(context, []);
      const { code, stdout, stderr } = await pipe(input, ...flags);
      assert.deepEqual([code, stdout, model.requests.length], [2, '', 0], stderr);
    });
  }

  test(
    'lines that come while the first message is answered are messages too',
    limited,
    async (context) => {
      const replies = ['One.', 'Two.', 'Three.'].map((text) => ({ text }));
      const { pipe, model } = await chatScene(context, replies);
      const { code, stdout, stderr } = await pipe('second\nthird\n', 'first');
      assert.deepEqual([code, stdout], [0, 'One.\nTwo.\nThree.\n'], stderr);
      assert.equal(model.requests.length, 3);
    },
  );

  for (const [name, input] of [
    ['nothing', ''],
    ['only blank lines', '\n \n'],
  ] as const) {
    test(`2: ${name} on stdin`, limited, async (context) => {
      const { pipe, model } = await chatScene(context, []);
      const { code, stdout, stderr } = await pipe(input);
      assert.deepEqual([code, stdout, model.requests.length], [2, '', 0], stderr);
      assert.match(
        stderr,
        /No message came: .* stdin is empty\. Use a terminal, or a pipe: printf/,
      );
    });
  }

  for (const [name, input, args] of [
    ['a message and nothing on stdin', '', ['Hello.']],
    ['a command alone', '/quit\n', []],
  ] as const) {
    test(`0: ${name}`, limited, async (context) => {
      const { pipe } = await chatScene(context, [{ text: 'Yes.' }]);
      const { code, stderr } = await pipe(input, ...args);
      assert.equal(code, 0, stderr);
      assert.doesNotMatch(stderr, /No message came/);
    });
  }

  test('a message of 1 MB', limited, async (context) => {
    const { pipe, model } = await chatScene(context, [{ text: 'Read.' }]);
    const message = '0123456789'.repeat(100_000);
    const { code, stdout, stderr } = await pipe(message);
    assert.deepEqual([code, stdout], [0, 'Read.\n'], stderr.slice(0, 2000));
    assert.ok(model.requests[0]?.raw.includes(message));
  });
});
