// test: slow, first
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { command } from '../../test/cli/in-process.test-support.ts';
import { home, outcomeOf, run, start } from '../../test/cli/process.test-support.ts';
import {
  KEY,
  limited,
  MODEL,
  referenceFiles,
  scene,
  watchedServer,
} from '../../test/cli-agent/run.test-support.ts';

const trusted = { servers: { files: { trusted: true } } };

const reading: readonly Reply[] = [
  {
    text: 'Let me see.',
    calls: [{ name: 'files__read_text_file', arguments: { path: 'note.txt' } }],
  },
  { text: 'It is 42, émile.', chunkSize: 5 },
];

/** A model that writes a file with a tool and then reports. */
const writing: readonly Reply[] = [
  { calls: [{ name: 'files__write_file', arguments: { path: 'new.txt', content: 'new' } }] },
  { text: 'I am done.' },
];

test(
  'the text goes to stdout, everything else to stderr, and the tool runs',
  limited,
  async (context) => {
    const { askProcess, model } = await scene(context, reading, trusted, referenceFiles);
    const { code, stdout, stderr } = await askProcess('What does note.txt say?');
    assert.equal(stdout, 'Let me see.\n\nIt is 42, émile.\n');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Servers from .*toolfold\.json/);
    assert.match(stderr, /^anthropic\/claude-opus-5-5, strategy eager: ./m);
    assert.match(stderr, /^Call: files__read_text_file \{"path":"note\.txt"\}$/m);
    assert.match(
      stderr,
      /^Tokens: [\d,]+ sent, [\d,]+ of them read from the cache and [\d,]+ written to it; \d+ received\.$/m,
    );
    assert.ok(!`${stdout}${stderr}`.includes(KEY));
    assert.match(model.requests.at(-1)?.raw ?? '', /The answer is 42\./);
  },
);

test('--json: every event is a line, and nothing else is printed', limited, async (context) => {
  const { askProcess } = await scene(context, reading, trusted);
  const { code, stdout, stderr } = await askProcess('--json', 'What does note.txt say?');
  assert.equal(code, 0, stderr);
  assert.ok(stdout.endsWith('\n'));
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  // Token counts are emitted when a response is complete, which may be before its last text event.
  const kinds = events
    .map(({ type }) => type)
    .filter((type) => type !== 'preload' && type !== 'usage')
    .filter((type, i, all) => type !== all[i - 1]);
  const expected = ['request', 'text', 'call', 'tool-start', 'result', 'request', 'text', 'end'];
  assert.deepEqual(kinds, ['user', 'start', 'epoch', ...expected]);
  assert.equal(events.filter(({ type }) => type === 'usage').length, 2);
  const [call] = events.filter(({ type }) => type === 'call');
  assert.equal(call.name, 'files__read_text_file');
  const texts = events.filter(({ type }) => type === 'text').map(({ text }) => text);
  assert.equal(texts.join(''), 'Let me see.It is 42, émile.');
  const end = events.at(-1);
  assert.deepEqual([end.reason, end.text], ['done', 'Let me see.\n\nIt is 42, émile.']);
  assert.doesNotMatch(stderr, /Let me see|Call:/);
});

test('a call that needs approval is denied if nobody can be asked: 4', limited, async (context) => {
  const { ask, folder, model } = await scene(context, writing, trusted);
  const { code, stdout, stderr } = await ask('Write new.txt');
  assert.equal(code, 4);
  assert.equal(stdout, 'I am done.\n');
  assert.match(
    stderr,
    /^files__write_file did not run: .*\n {2}To allow it: --allow 'files__write_file', or "approvals": \{ "allow": \["files__write_file"\] \}$/m,
  );
  assert.ok(!existsSync(join(folder, 'new.txt')));
  assert.match(
    model.requests.at(-1)?.raw ?? '',
    /needs the approval of the user, and nobody can be asked/,
  );
});

test('options without a value are refused: 2', limited, async (context) => {
  const { ask, model } = await scene(context, writing, trusted);
  for (const option of ['--allow', '--role', '--model', '--base-url', '--config'])
    for (const value of ['', ' ']) {
      const { code, stderr } = await ask(option, value, 'Write new.txt');
      assert.equal(code, 2, stderr);
      assert.match(stderr, option === '--allow' ? /--allow.*Give a tool or a glob/ : /It is empty/);
    }
  const { code } = await ask('--allow', 'files__*', '--allow', '', 'Write new.txt');
  assert.equal(code, 2);
  assert.deepEqual(model.requests, []);
});

test(
  'an interrupted answer keeps its text, and says what was discarded beside it',
  limited,
  async (context) => {
    const half = { reasoning: 'Hm, well.', text: 'Half of it.', chunkSize: 2, abortAfter: 14 };
    const { ask } = await scene(context, [half], trusted);
    const { code, stdout, stderr } = await ask('hello');
    assert.equal(code, 1);
    const said = stdout.replace(/\n$/, '');
    assert.ok(said !== '' && half.text.startsWith(said), stdout);
    assert.match(
      stderr,
      /^Discarded, because the answer was interrupted: 9 characters of reasoning$/m,
    );
  },
);

const permissions: [string, object, string[]][] = [
  ['by flag', {}, ['--allow', 'other__*', '--allow', 'files__write_*']],
  ['by the configuration', { approvals: { allow: ['files__write_file'] } }, []],
  ['by the mode "never"', { approvals: { mode: 'never' } }, ['--json']],
];
for (const [how, settings, flags] of permissions) {
  test(`a tool that is allowed ${how} runs: 0`, limited, async (context) => {
    const { ask, folder } = await scene(context, writing, settings);
    const { code, stderr } = await ask(...flags, 'Write new.txt');
    assert.equal(code, 0, stderr);
    assert.equal(await readFile(join(folder, 'new.txt'), 'utf8'), 'new');
  });
}

test('read-only annotations of an untrusted server have no effect: 4', limited, async (context) => {
  const { ask } = await scene(context, reading);
  assert.equal((await ask('What does note.txt say?')).code, 4);
});

test(
  '--strategy overrides the settings of the model, --routing overrides the mode of the file',
  limited,
  async (context) => {
    const { ask, model } = await scene(context, () => ({ text: 'Hello.' }), {
      models: { [MODEL]: { strategy: 'bridge' } },
      routing: 'off',
      categories: { memos: { words: ['memo'], tools: ['files__read_text_file'] } },
    });
    const prompt = 'Read the memo, it is a text file';
    const bridged = await ask('--json', prompt);
    const dispatched = await ask(
      '--json',
      '--strategy',
      'dispatch',
      '--routing',
      'preload',
      prompt,
    );
    const names = model.requests.map(({ body }) =>
      JSON.stringify(body.tools).match(/"name":"\w+"/g),
    );
    assert.match(String(names[0]), /"tool_search".*"tool_describe"/);
    assert.match(String(names[1]), /"load_tools"/);
    assert.doesNotMatch(bridged.stdout, /"type":"preload"/);
    assert.match(dispatched.stdout, /"type":"start".*"strategy":"dispatch"/);
    assert.match(dispatched.stdout, /"type":"preload","tools":\["files__/);
  },
);

test('no rounds left: the answer and exit code 5', limited, async (context) => {
  const [first = {}, last = {}] = reading;
  const { ask } = await scene(context, [first, last], { ...trusted, maxRounds: 1 });
  const { code, stdout, stderr } = await ask('What does note.txt say?');
  assert.equal(stdout, 'Let me see.\n\nIt is 42, émile.\n');
  assert.match(stderr, /^No rounds of tools are left: the limit is 1 /m);
  assert.equal(code, 5);
});

test('the model fails: 1, with its message and without the key', limited, async (context) => {
  const error = { status: 400, body: `The key ${KEY} is out of credit.` };
  const { ask } = await scene(context, () => ({ error }));
  const plain = await ask('hello');
  assert.equal(plain.code, 1);
  assert.equal(plain.stdout, '');
  assert.match(
    plain.stderr,
    /^toolfold: The provider did not accept the request \(status 400\): The key \[redacted\] is out of credit\.\nRun the command again\.$/m,
  );
  const json = await ask('--json', 'hello');
  assert.equal(json.code, 1);
  const end = JSON.parse(json.stdout.trimEnd().split('\n').at(-1) ?? '');
  assert.deepEqual(end.error, {
    name: 'AI_APICallError',
    message: 'The key [redacted] is out of credit.',
  });
  for (const { stdout, stderr } of [plain, json]) assert.ok(!`${stdout}${stderr}`.includes(KEY));
});

test('an answer cut off at the limit of the model: 1', limited, async (context) => {
  const { ask } = await scene(context, [{ text: 'It is', finishReason: 'length' }]);
  const { code, stdout, stderr } = await ask('hello');
  assert.deepEqual([code, stdout], [1, 'It is\n']);
  assert.match(stderr, /^toolfold: The answer was cut off/m);
});

for (const [signal, expected] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  test(
    `${signal} ends the turn, the servers and the command: ${expected}`,
    limited,
    async (context) => {
      const { entry, gone } = await watchedServer(context);
      const folder = await home(context, {
        'c.json': JSON.stringify({ mcpServers: { s: entry } }),
      });
      const asked = Promise.withResolvers<void>();
      const never = Promise.withResolvers<void>();
      const model = await startModelServer({
        script: () => {
          asked.resolve();
          return { text: 'late', hold: never.promise };
        },
      });
      context.after(() => model.close());
      const url = model.baseUrl('anthropic');
      const args = ['run', 'hello', '--config', 'c.json', '--model', MODEL, '--base-url', url];
      const child = start(folder, args, { env: { ANTHROPIC_API_KEY: KEY } });
      context.after(() => child.kill('SIGKILL'));
      const ended = outcomeOf(child);
      await asked.promise;
      child.kill(signal);
      const { code, stdout, stderr } = await ended;
      assert.deepEqual([code, stdout], [expected, '']);
      assert.match(stderr, /^Cancelled\.$/m);
      await gone;
    },
  );

test('the prompt from stdin, a local model without a key, no servers', limited, async (context) => {
  const folder = await home(context);
  const model = await startModelServer({ script: [{ text: 'Hello.' }] });
  context.after(() => model.close());
  const { code, stdout, stderr } = await run(
    folder,
    ['run', '-', '--base-url', model.baseUrl('openai-chat')],
    { env: { TOOLFOLD_MODEL: 'local/some/model' }, input: 'What is new?\n' },
  );
  assert.deepEqual([code, stdout], [0, 'Hello.\n'], stderr);
  assert.match(stderr, /No MCP servers are configured/);
  const [{ provider, body } = assert.fail()] = model.requests;
  assert.equal(provider, 'openai-chat');
  assert.equal(body.model, 'some/model');
  assert.deepEqual(body.tools, undefined);
  assert.match(JSON.stringify(body.messages), /What is new\?/);
});

test(
  'settings alone, a role with its own model and a server that is not ready',
  limited,
  async (context) => {
    const model = await startModelServer({ script: () => ({ text: 'Hello.' }) });
    context.after(() => model.close());
    const roles = { clerk: { model: 'openai/gpt-5.4' } };
    const bad = { command: join('/nowhere', 'toolfold-x') };
    const folder = await home(context, {
      'toolfold.json': JSON.stringify({ toolfold: { roles } }),
      'c.json': JSON.stringify({ mcpServers: { bad }, toolfold: { roles } }),
    });
    const flags = ['run', 'hi', '--role', 'clerk', '--base-url', model.baseUrl('openai-responses')];
    const env = { OPENAI_API_KEY: KEY };
    const found = await command(folder, flags, { env });
    assert.deepEqual([found.code, found.stdout], [0, 'Hello.\n'], found.stderr);
    assert.match(found.stderr, /^Settings from .*toolfold\.json$/m);
    assert.match(found.stderr, /^openai\/gpt-5\.4, role clerk, /m);
    const named = await command(folder, [...flags, '--config', 'c.json'], { env });
    assert.deepEqual([named.code, named.stdout], [0, 'Hello.\n'], named.stderr);
    assert.match(named.stderr, /^bad is not ready: .*not found/m);
    const chatting = ['--role', 'chat', '--model', 'openai/gpt-5.4', '--config', 'c.json'];
    const chat = await command(folder, [...flags, ...chatting], { env });
    assert.equal(chat.code, 0);
    // A role without tools starts no servers.
    assert.doesNotMatch(chat.stderr, /bad/);
    assert.deepEqual(
      model.requests.map(({ provider, body }) => [provider, body.model]),
      [
        ['openai-responses', 'gpt-5.4'],
        ['openai-responses', 'gpt-5.4'],
        ['openai-responses', 'gpt-5.4'],
      ],
    );
  },
);

test('wrong use: 2, with a remedy, before any server starts', limited, async (context) => {
  // A server that would fail the run. No case here starts it.
  const bad = { command: join('/nowhere', 'toolfold-x') };
  const folder = await home(context, { 'toolfold.json': JSON.stringify({ mcpServers: { bad } }) });
  const env = { ANTHROPIC_API_KEY: KEY };
  const cases: [string[], RegExp, Record<string, string>?][] = [
    [['run'], /missing required argument 'prompt'[\s\S]*--help/],
    [['run', ' '], /prompt is empty/],
    [['run', '-'], /prompt is empty/],
    [['run', 'hi', 'there'], /too many arguments/],
    [['run', 'hi', '--strategy', 'dispach', '--model', MODEL], /dispatch/],
    [
      ['run', 'hi', '--routing', 'wide', '--model', MODEL],
      /Allowed choices are off, preload, narrow/,
    ],
    [
      ['run', 'hi', '--role', 'chief', '--model', MODEL],
      /no role "chief".*chat, distill, research, coder/,
    ],
    [
      ['run', 'hi'],
      /No model is given\..*--model.*"model" of a role.*TOOLFOLD_MODEL.*--base-url http:\/\/127\.0\.0\.1/,
    ],
    [['run', 'hi', '--model', 'opus'], /Write provider\/name/],
    [['run', 'hi', '--model', 'acme/x'], /acme.*--base-url/],
    [['run', 'hi', '--model', 'acme/x', '--base-url', 'acme'], /not a URL/],
    [
      ['run', 'hi', '--model', 'openai/x'],
      /No API key is set for openai\. Set the variable OPENAI_API_KEY/,
    ],
    [['run', 'hi', '--model', MODEL], /ANTHROPIC_API_KEY/, {}],
    [['run', 'hi', '--config', 'none.json', '--model', MODEL], /none\.json cannot be read/],
  ];
  for (const [args, expected, variables = env] of cases) {
    const { code, stdout, stderr } = await command(folder, args, { env: variables });
    assert.deepEqual([code, stdout], [2, ''], `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, expected);
    assert.doesNotMatch(stderr, /bad is not ready/);
    assert.ok(!stderr.includes(KEY));
  }
});

test('--help lists the options, without false defaults', limited, async (context) => {
  const { code, stdout } = await command(await home(context), ['run', '--help']);
  assert.equal(code, 0);
  assert.match(stdout, /--allow <glob> +tools that run without a question; may be repeated\n/);
  assert.match(stdout, /^ +130, 143 +cancelled by Ctrl-C or by SIGTERM$/m);
});

test('a package that is not installed is named: 1', limited, async (context) => {
  const folder = await home(context, {
    'absent.mjs': `import { registerHooks } from 'node:module';
      registerHooks({
        resolve(specifier, context, next) {
          if (specifier !== process.env.ABSENT) return next(specifier, context);
          throw Object.assign(new Error('not there'), { code: 'ERR_MODULE_NOT_FOUND' });
        },
      });`,
  });
  const cases = [
    ['@ai-sdk/anthropic', 'anthropic/x'],
    ['@ai-sdk/openai', 'openai/x'],
    ['@ai-sdk/openai-compatible', 'local/x'],
    ['ai', 'local/x'],
  ];
  for (const [ABSENT = '', model = ''] of cases) {
    const { code, stdout, stderr } = await run(
      folder,
      ['run', 'hi', '--model', model, '--base-url', 'http://127.0.0.1:9'],
      {
        env: { ABSENT, TOOLFOLD_API_KEY: KEY },
        node: ['--import', join(folder, 'absent.mjs')],
      },
    );
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.ok(stderr.endsWith(`needs the package ${ABSENT}. Install it: npm ci\n`), stderr);
  }
  const other = await run(folder, ['inspect', '--help'], {
    env: { ABSENT: 'ai' },
    node: ['--import', join(folder, 'absent.mjs')],
  });
  assert.equal(other.code, 0, 'the other commands need no AI SDK');
});
