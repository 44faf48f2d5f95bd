// test: slow
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  ofChildren,
  scripted,
  send,
  taskIn,
  tasks,
} from '@toolfold/agent/test/subagents/team.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { command } from '../cli/in-process.test-support.ts';
import { home, outcomeOf, start } from '../cli/process.test-support.ts';
import { KEY, limited, MODEL, scene, watchedServer } from './run.test-support.ts';

const trusted = { servers: { files: { trusted: true } } };
const [BARE = ''] = MODEL.split('/').slice(1);

/** Children that use one tool each and then answer. The parent combines the answers. */
function workers(name: string, given: object, count = 2): Parameters<typeof scene>[1] {
  return scripted(
    [send(tasks(count)), { text: 'Together: 42.' }],
    ({ step }): Reply =>
      step === 0 ? { calls: [{ name, arguments: given }] } : { text: 'It said 42.' },
  );
}

test(
  'text: the actions and ends of children, by task, without their text',
  limited,
  async (context) => {
    const price = { input: 5, output: 25 };
    const subagents = { budget: { cost: 5 } };
    const settings = { ...trusted, subagents, models: { [BARE]: { price } } };
    const script = workers('files__read_text_file', { path: 'note.txt' });
    const { ask, model } = await scene(context, script, settings);
    const { code, stdout, stderr } = await ask('--subagents', 'Read it twice');
    assert.deepEqual([code, stdout], [0, 'Together: 42.\n'], stderr);
    assert.match(stderr, /^Call: subagents: 2 tasks\n\[t1\] Task: task 1\n\[t2\] Task: task 2$/m);
    for (const id of ['t1', 't2']) {
      const own = stderr.split('\n').filter((line) => line.startsWith(`[${id}] `));
      assert.match(
        own.join('\n'),
        /^\S+ Task: task \d\n\S+ Call: files__read_text_file \{"path":"note\.txt"\}\n\S+ done: 2 requests, [\d,]+ tokens$/,
      );
    }
    assert.match(
      stderr,
      /^Tokens: [\d,]+ sent, [\d,]+ of them read from the cache and [\d,]+ written to it; \d+ received; subagents: [\d,]+ sent, [\d,]+ of them read from the cache, \d+ received; cost: \$0\.\d+\.$/m,
    );
    assert.doesNotMatch(stderr, /It said/);
    assert.equal(ofChildren(model).length, 4);
    assert.match(model.requests.at(-1)?.raw ?? '', /It said 42\./);
  },
);

test('--json: every event of a child is a line', limited, async (context) => {
  const script = workers('files__read_text_file', { path: 'note.txt' });
  const { ask } = await scene(context, script, { ...trusted, subagents: true });
  const { code, stdout, stderr } = await ask('--json', 'Read it twice');
  assert.equal(code, 0, stderr);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const inner = events.filter(({ type, task }) => type === 'subagent' && task === 't2');
  const kinds = inner.map(({ event }) => event.type);
  for (const kind of ['start', 'request', 'call', 'result', 'usage', 'text', 'end']) {
    assert.ok(kinds.includes(kind), `${kind} in ${kinds}`);
  }
  const ends = events.filter(({ type }) => type === 'subagent-end');
  assert.deepEqual(ends.map(({ task, status }) => [task, status]).sort(), [
    ['t1', 'done'],
    ['t2', 'done'],
  ]);
  assert.equal(ends[0].spent.requests, 2);
  assert.doesNotMatch(stderr, /\[t\d\]/);
});

test(
  'a child call that needs approval is denied with the name of the child: 4',
  limited,
  async (context) => {
    const script = workers('files__write_file', { path: 'new.txt', content: 'new' });
    const { ask, folder, model } = await scene(context, script, trusted);
    const { code, stdout, stderr } = await ask('--subagents', 'Write it twice');
    assert.deepEqual([code, stdout], [4, 'Together: 42.\n'], stderr);
    for (const id of ['t1', 't2']) {
      const denial = `[${id}] files__write_file did not run: it needs approval, and nobody could be asked.`;
      assert.ok(stderr.includes(`\n${denial}\n`), stderr);
    }
    assert.equal(stderr.match(/To allow it: --allow 'files__write_file'/g)?.length, 1);
    assert.ok(!existsSync(join(folder, 'new.txt')));
    const lastRequest = ofChildren(model).at(-1);
    assert.match(lastRequest?.raw ?? '', /needs the approval of the user, and nobody can be asked/);
  },
);

test(
  'subagents are off by default; the flags override the configuration',
  limited,
  async (context) => {
    const model = await startModelServer({ script: () => ({ text: 'Hello.' }) });
    context.after(() => model.close());
    const folder = await home(context, {
      'on.json': JSON.stringify({ toolfold: { subagents: { wide: true } } }),
      'cost.json': JSON.stringify({ toolfold: { subagents: { budget: { cost: 1 } } } }),
      'off.json': JSON.stringify({ toolfold: { subagents: false } }),
    });
    const cases: [string[], boolean][] = [
      [[], false],
      [['--subagents'], true],
      [['--config', 'on.json'], true],
      [['--config', 'on.json', '--no-subagents'], false],
      [['--config', 'cost.json', '--no-subagents'], false],
      [['--config', 'off.json'], false],
      [['--config', 'off.json', '--subagents'], true],
    ];
    const flags = ['run', 'hi', '--model', MODEL, '--base-url', model.baseUrl('anthropic')];
    for (const [index, [more, isOn]] of cases.entries()) {
      const { code, stderr } = await command(folder, [...flags, ...more], {
        env: { ANTHROPIC_API_KEY: KEY },
      });
      assert.equal(code, 0, stderr);
      const tools = JSON.stringify(model.requests[index]?.body.tools ?? []);
      assert.equal(tools.includes('"name":"subagents"'), isOn, more.join(' '));
    }
    assert.match(JSON.stringify(model.requests[2]?.body.tools), /"maxItems":50/);
    const chat = await command(folder, [...flags, '--role', 'chat', '--subagents'], {
      env: { ANTHROPIC_API_KEY: KEY },
    });
    assert.match(chat.stderr, /^Warning: The role "chat" does not allow the tool subagents/m);
  },
);

test('a role has its own model, whose key is not shown', limited, async (context) => {
  const clerk = { model: 'anthropic/claude-haiku-4-5', tools: [] };
  const toolfold = { roles: { clerk }, subagents: { roles: ['clerk'] } };
  const folder = await home(context, { 'toolfold.json': JSON.stringify({ toolfold }) });
  const [plain, asClerk] = tasks(2);
  const model = await startModelServer({
    script: scripted([send([{ ...plain }, { ...asClerk, role: 'clerk' }])], ({ task }) =>
      task === 'task 1' ? { text: 'Fine.' } : { error: { status: 400, body: `Bad key ${KEY}.` } },
    ),
  });
  context.after(() => model.close());
  const args = ['run', 'hi', '--model', 'local/boss', '--base-url', model.baseUrl('openai-chat')];
  const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: model.baseUrl('anthropic') };
  const { code, stdout, stderr } = await command(folder, args, { env });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^\[t1\] done: 1 request, [\d,]+ tokens$/m);
  assert.match(stderr, /^\[t2\] failed: (.*: )?Bad key \[redacted\]\. \(status 400\)$/m);
  assert.ok(!`${stdout}${stderr}`.includes(KEY));
  const models = new Map(model.requests.map((each) => [taskIn(each), each.body.model]));
  assert.deepEqual([models.get('task 1'), models.get('task 2')], ['boss', 'claude-haiku-4-5']);
});

test('invalid settings: 2, before any server starts', limited, async (context) => {
  const bad = { command: join('/nowhere', 'toolfold-x') };
  const roles = { clerk: { model: 'acme/small' } };
  const cases: [object, RegExp][] = [
    [
      { concurrency: 12 },
      /c\.json:1:\d+: .*\.concurrency is number "12"\. .*from 1 to 8, or from 1 to 12 with `wide`/,
    ],
    [{ timeout: 901 }, /c\.json:1:\d+: .*\.timeout is number "901"\. .*from 1 to 900/],
    [
      { budget: { cost: 1 } },
      /budget of subagents has a cost, but anthropic\/claude-opus-5-5 has no price\. .*tokens/,
    ],
    [{ roles: ['chief'] }, /no role "chief"/],
    [{ roles: ['clerk'] }, /The address of acme is not known/],
    [{ budget: { cost: -1 } }, /c\.json:1:\d+: toolfold\.subagents\.budget\.cost is number "-1"/],
    [
      { dept: 1 },
      /c\.json:1:\d+: Unknown key "dept" in toolfold\.subagents\. Did you mean "depth"/,
    ],
  ];
  for (const [subagents, expected] of cases) {
    const config = { mcpServers: { bad }, toolfold: { roles, subagents } };
    const folder = await home(context, { 'c.json': JSON.stringify(config) });
    const args = ['run', 'hi', '--config', 'c.json', '--model', MODEL];
    const env = { ANTHROPIC_API_KEY: KEY };
    const { code, stdout, stderr } = await command(folder, args, { env });
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.match(stderr, expected);
    assert.doesNotMatch(stderr, /bad is not ready/);
  }
});

test('Ctrl-C ends children, servers and the command: 130', limited, async (context) => {
  const { entry, gone } = await watchedServer(context);
  const folder = await home(context, { 'c.json': JSON.stringify({ mcpServers: { s: entry } }) });
  const working = Promise.withResolvers<void>();
  const never = Promise.withResolvers<void>();
  let asked = 0;
  const model = await startModelServer({
    script: scripted([send(tasks(3), { concurrency: 2 })], () => {
      if (++asked === 2) working.resolve();
      return { text: 'late', hold: never.promise };
    }),
  });
  context.after(() => model.close());
  const url = model.baseUrl('anthropic');
  const flags = ['--subagents', '--config', 'c.json', '--model', MODEL, '--base-url', url];
  const child = start(folder, ['run', 'hello', ...flags], { env: { ANTHROPIC_API_KEY: KEY } });
  context.after(() => child.kill('SIGKILL'));
  const ended = outcomeOf(child);
  await working.promise;
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  assert.deepEqual([code, stdout], [130, ''], stderr);
  for (const id of ['t1', 't2', 't3'])
    assert.match(stderr, new RegExp(`^\\[${id}\\] cancelled: `, 'm'));
  assert.match(stderr, /^Cancelled\.$/m);
  await gone;
});
