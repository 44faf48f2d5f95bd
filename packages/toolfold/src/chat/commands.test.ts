import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { hands } from '../../test/chat/hands.test-support.ts';
import { commandUi, openHost } from '../../test/chat/host.test-support.ts';
import { spentOf } from '../shown/indicator.ts';
import { COMMANDS, isCommand, runCommand } from './commands.ts';

/** Lines that a command shows. `choose` answers its lists. */
async function linesOf(
  { host }: Pick<Awaited<ReturnType<typeof openHost>>, 'host'>,
  message: string,
  choose?: number,
): Promise<string[]> {
  const ui = commandUi(host, choose);
  await runCommand(ui, message);
  return ui.shown;
}

const HOSTILE = [
  ...['', 'x', '-1', '1e999', 'NaN', '0', '__proto__', 'constructor', '..', '/', '*', '"', "'; --"],
  ...['\u001B[2J', '\u0000', '\u202E', '\uD800', 'a\nb', '%s', '漢字', 'on off', 'nowhere/file.md'],
  ...['x'.repeat(10_000), 'a/b', 'anthropic/', '/x', 'openai/gpt', '--model', '{}'],
];

describe('every command, with every odd argument', () => {
  for (const isUsed of [false, true])
    test(`shows lines or fails with a known error, ${isUsed ? 'in' : 'before'} a conversation`, async () => {
      await using chat = await openHost();
      if (isUsed) await chat.say('Hello.');
      for (const { name } of COMMANDS) {
        for (const argument of HOSTILE) {
          const ui = commandUi(chat.host);
          await runCommand(ui, `/${name} ${argument}`).catch((error: unknown) => {
            assert.ok(error instanceof ToolfoldError, `/${name} ${argument}: ${String(error)}`);
            assert.notEqual(error.message, '');
          });
          for (const line of ui.shown) assert.equal(typeof line, 'string');
        }
      }
    });

  test('also where no model is given', async () => {
    await using chat = await openHost({ isUnnamed: true });
    for (const { name } of COMMANDS) {
      for (const argument of ['', 'x', 'nobody/nothing', 'constructor/x'])
        await runCommand(commandUi(chat.host), `/${name} ${argument}`).catch((error: unknown) => {
          assert.ok(error instanceof ToolfoldError, `/${name} ${argument}: ${String(error)}`);
        });
    }
  });
});

test('/cost counts what a title has cost', async () => {
  await using chat = await openHost();
  await chat.say('Hello.');
  const { talk } = chat.host;
  const title = { ...spentOf(talk.view.turns), requests: 1, input: 70, output: 7 };
  const before = await linesOf(chat, '/cost');
  Object.defineProperty(talk, 'besides', { value: title });
  const [all = '', agent = '', line = ''] = await linesOf(chat, '/cost');
  assert.match(line, /^ {2}Title {7}1 request, 70 tokens sent .*, 7 received$/);
  assert.equal(agent.replace('Agent', 'All  '), before[0]);
  assert.notEqual(all, before[0]);
});

describe('a command', () => {
  test('is one word behind a slash', () => {
    for (const message of ['/', '/help', '/tools on', '/tools\non', '/nothing'])
      assert.ok(isCommand(message), message);
    for (const message of ['/etc/hosts', 'help', ' /help', '/a.txt is odd', '//'])
      assert.ok(!isCommand(message), message);
  });

  test('that does not exist is an error with the nearest one', async () => {
    await using chat = await openHost();
    await assert.rejects(linesOf(chat, '/toolz x'), {
      ...{ code: 'invalid-option', message: /There is no command \/toolz/ },
      hint: /\/tools/,
    });
    await assert.rejects(linesOf(chat, '/'), { hint: /\/help/ });
    await assert.rejects(linesOf(chat, '/zzzzzzzz'), { code: 'invalid-option' });
  });

  test('has a summary and stands in the help', async () => {
    await using chat = await openHost();
    const help = (await linesOf(chat, '/help')).join('\n');
    assert.doesNotMatch(help, /PageUp/);
    for (const { name, summary } of COMMANDS) {
      assert.ok(help.includes(`/${name}`) && help.includes(summary), name);
      assert.match(name, /^[a-z]+$/);
    }
  });
});

describe('settings', () => {
  test('are shown, chosen from a list, by name, and kept', async () => {
    await using chat = await openHost({ settings: { roles: { reader: {} } } });
    assert.deepEqual(await linesOf(chat, '/role'), ['The role is none.']);
    assert.deepEqual(await linesOf(chat, '/role reader'), [
      'The role is reader from the next turn on.',
    ]);
    await chat.say('Hello.');
    assert.equal(chat.host.settings.role, 'reader');
    assert.deepEqual(await linesOf(chat, '/role none'), [
      'The role is none from the next turn on.',
    ]);
    assert.deepEqual(await linesOf(chat, '/role'), ['The role is none.']);
    assert.match((await linesOf(chat, '/strategy', 0)).join(), /^The strategy is \w+ from/);
    assert.deepEqual(await linesOf(chat, '/routing off'), [
      'The routing is off from the next turn on.',
    ]);
  });

  test('that do not exist are errors that name the others', async () => {
    await using chat = await openHost({ settings: { roles: { reader: {} } } });
    await assert.rejects(linesOf(chat, '/role writer'), {
      code: 'invalid-option',
      hint: /none.*reader/,
    });
    await assert.rejects(linesOf(chat, '/strategy fast'), {
      code: 'invalid-option',
      hint: /dispatch/,
    });
    await assert.rejects(linesOf(chat, '/routing x'), { code: 'invalid-option' });
  });

  test('turn tools on and off', async () => {
    await using chat = await openHost();
    assert.deepEqual(await linesOf(chat, '/tools off'), [
      'Tools are off.',
      'The next request: tools off.',
    ]);
    assert.equal(chat.host.settings.areToolsOn, false);
    await chat.say('Hello.');
    assert.equal((await linesOf(chat, '/tools on'))[0], 'Tools are on.');
    assert.match((await linesOf(chat, '/tools commit')).join(), /No tool fits "commit"/);
    assert.match((await linesOf(chat, '/tools')).join(), /No MCP servers are configured/);
  });

  test('name the model', async () => {
    await using chat = await openHost();
    assert.match((await linesOf(chat, '/model')).join(), /^The model is demo\/scripted/);
    await using other = await openHost({ isUnnamed: true });
    assert.match((await linesOf(other, '/model')).join(), /^No model is chosen/);
    // Who cannot choose reads the list.
    assert.ok((await linesOf(chat, '/model')).length > 2);
    const ui = commandUi(chat.host, -1);
    await runCommand(ui, '/model');
    assert.equal(ui.shown.length, 2, 'a list that was closed leaves no trace');
    const settings = { models: { 'local-9/a': {}, 'local-9/b': {} } };
    await using own = await openHost({ isUnnamed: true, settings });
    await own.host.talk.choose({ model: 'local-9/b' });
    const offered = commandUi(own.host, -1);
    await runCommand(offered, '/model');
    const described = offered.picked[0]?.filter(({ value }) => /^local-9.[ab]$/.test(value));
    assert.deepEqual(described, [
      { value: 'local-9/a' },
      { value: 'local-9/b', description: 'in use' },
    ]);
    assert.ok(ui.picked[0]?.length);
    await assert.rejects(linesOf(other, '/model nobody/nothing'), ToolfoldError);
    await assert.rejects(linesOf(other, '/quick Why?'), ToolfoldError);
  });
});

describe('sessions', () => {
  test('are listed, searched and opened', async () => {
    await using chat = await openHost({ script: () => ({ text: 'An answer about whales.' }) });
    assert.match((await linesOf(chat, '/sessions')).join(), /There are no sessions/);
    assert.match((await linesOf(chat, '/resume')).join(), /There are no sessions/);
    await chat.say('First question');
    const sessionOf = () => chat.host.talk.session?.id;
    const first = sessionOf();
    await linesOf(chat, '/new');
    assert.deepEqual(sessionOf(), undefined);
    assert.equal(chat.host.talk.view.turns.length, 0);
    await chat.say('Second question');
    assert.equal((await linesOf(chat, '/sessions')).length, 2);
    assert.match((await linesOf(chat, '/sessions whales')).join('\n'), /whales/);
    assert.match((await linesOf(chat, '/sessions elephants')).join(), /No session has the words/);
    await linesOf(chat, '/resume', 1);
    assert.equal(sessionOf(), first);
    const { turns } = chat.host.talk.view;
    assert.deepEqual(
      turns.map(({ user }) => user),
      ['First question'],
    );
    await assert.rejects(linesOf(chat, '/resume zzz'), ToolfoldError);
    assert.equal(sessionOf(), first);
  });

  test('get another title', async () => {
    await using chat = await openHost({ script: () => ({ text: 'Ok.' }) });
    assert.match((await linesOf(chat, '/rename Whales')).join(), /no messages yet/);
    await chat.say('First question');
    assert.match((await linesOf(chat, '/rename')).join(), /Give a title/);
    assert.deepEqual(await linesOf(chat, '/rename The\nblue  whale'), [
      'The title is "The blue whale".',
    ]);
    assert.match((await linesOf(chat, '/sessions')).join(), /The blue whale/);
  });

  test('are forked at a turn, and their tree is shown', async () => {
    await using chat = await openHost();
    await assert.rejects(linesOf(chat, '/fork'), { code: 'invalid-option' });
    assert.match((await linesOf(chat, '/tree')).join(), /no messages yet/);
    for (const text of ['One', 'Two', 'Three']) await chat.say(text);
    const root = chat.host.talk.session?.id;
    const users = () => chat.host.talk.view.turns.map(({ user }) => user);
    assert.match((await linesOf(chat, '/fork 2')).join(), /^This is a fork/);
    assert.deepEqual(users(), ['One', 'Two']);
    await chat.say('Other');
    assert.deepEqual(users(), ['One', 'Two', 'Other']);
    for (const turn of ['0', '4', '-1', 'x', '1.5'])
      await assert.rejects(linesOf(chat, `/fork ${turn}`), /There is no turn/);
    const listed = await linesOf(chat, '/sessions');
    const mark = `a fork of ${root?.slice(0, 8)})`;
    assert.deepEqual(
      listed.map((line) => line.endsWith(mark)),
      [true, false],
    );
    const ui = commandUi(chat.host, -1);
    await runCommand(ui, '/resume');
    assert.match(ui.picked[0]?.[0]?.description ?? '', /, a fork of \w{8}$/);
    const tree = await linesOf(chat, '/tree', 0);
    assert.equal(tree.length, 2);
    assert.match(tree[1] ?? '', /^▸ {3}/);
    assert.equal(chat.host.talk.session?.id, root);
    assert.deepEqual(users(), ['One', 'Two', 'Three']);
  });

  test('are written to a new file', async () => {
    await using chat = await openHost();
    assert.match((await linesOf(chat, '/export')).join(), /no messages yet/);
    await chat.say('Hello.');
    await linesOf(chat, '/export');
    assert.ok(readdirSync(chat.folder).some((name) => /^toolfold-.*\.md$/.test(name)));
    assert.deepEqual(await linesOf(chat, '/export talk.jsonl'), [
      'Wrote talk.jsonl. It holds all that was said, with the secrets in it.',
    ]);
    assert.match(readFileSync('talk.jsonl', 'utf8'), /Hello\./);
    await assert.rejects(linesOf(chat, '/export talk.jsonl'), ToolfoldError);
    mkdirSync('taken');
    await assert.rejects(linesOf(chat, '/export taken'), ToolfoldError);
    await assert.rejects(linesOf(chat, '/export nowhere/talk.md'), ToolfoldError);
    assert.ok(!existsSync('nowhere'));
  });
});

describe('figures', () => {
  test('of tokens and money follow the turns', async () => {
    await using chat = await openHost();
    const none = 'The next request: no tools.';
    assert.deepEqual(await linesOf(chat, '/cost'), [none, 'No request has been answered yet.']);
    assert.deepEqual(await linesOf(chat, '/context'), [none, 'No request has been sent yet.']);
    await chat.say('Hello.');
    const [all = '', price = ''] = await linesOf(chat, '/cost');
    assert.match(
      all,
      /^ {2}All +1 request, \d+ tokens sent \(\S+ % from the cache\), \d+ received$/,
    );
    assert.match(price, /^Money per token is not known.*Set models\.<provider\/name>\.price/);
    const shares = (await linesOf(chat, '/context')).filter((line) => line.endsWith(' %'));
    assert.equal(shares.length, 6);
    assert.equal(new Set(shares.map((line) => line.length)).size, 1, shares.join('\n'));
  });

  test('count the schemas that stand in results of loads', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolfold-hands-'));
    const { entry } = await hands(folder);
    const groups = { group_id: 'mcp:hands', tool_names: ['do'] };
    await using chat = await openHost({
      servers: { hands: entry },
      settings: { strategy: 'dispatch' },
      script: [{ calls: [{ name: 'load_tools', arguments: groups }] }, { text: 'Loaded.' }],
    });
    await chat.say('Load it.');
    const lines = await linesOf(chat, '/context');
    const countOf = (name: string) =>
      Number(/(\d+) /.exec(lines.join('\n').split(name)[1] ?? '')?.[1]);
    const { tokens } = chat.host.talk.view.turns.at(-1)?.request ?? {};
    assert.ok(countOf('schemas, loaded') > 20, lines.join('\n'));
    assert.equal(countOf('schemas, loaded') + countOf('messages'), tokens?.messages);
    assert.match(lines.join('\n'), /Loaded so far:\n {2}hands__do +\d+/);
    rmSync(folder, { recursive: true });
  });

  test('of a quick question are shown beside its answer, and no turn begins', async () => {
    await using chat = await openHost();
    assert.match((await linesOf(chat, '/quick')).join(), /Give a question/);
    const lines = await linesOf(chat, '/quick Why?');
    assert.deepEqual(lines.slice(0, 2), ['> Why?', 'Yes.']);
    assert.match(lines[2] ?? '', /tokens/);
    assert.deepEqual(chat.host.talk.view.turns, []);
  });
});

test('/continue says when there is nothing to go on with', async () => {
  await using chat = await openHost();
  const words = ['There is nothing to go on with. Write a message.'];
  assert.deepEqual(await linesOf(chat, '/continue'), words);
  await chat.say('Hello.');
  assert.deepEqual(await linesOf(chat, '/continue'), words);
});

test('compacting says when there is nothing to save, and /quit ends the chat', async () => {
  await using chat = await openHost();
  assert.match((await linesOf(chat, '/compact')).join(), /nothing to compact/);
  await chat.say('Hello.');
  assert.match((await linesOf(chat, '/compact')).join(), /too little to save/);
  const ui = commandUi(chat.host);
  await runCommand({ ...ui, signal: AbortSignal.abort() }, '/compact');
  assert.deepEqual(ui.shown, ['Cancelled: nothing has changed.']);
  await runCommand(ui, '/quit now');
  assert.ok(ui.hasQuit());
});

test('a compaction that fails says why, and the turn before stays as it ended', async () => {
  const replies = [{ text: 'Words. '.repeat(9_000) }, { text: 'Yes.' }];
  const failure = { error: { status: 403, body: 'no such key' } };
  await using chat = await openHost({ script: () => replies.shift() ?? failure });
  await chat.say('Tell me a lot.');
  await chat.say('Thanks.');
  const lines = await linesOf(chat, '/compact', 0);
  assert.match(
    lines.join('\n'),
    /no such key[\s\S]*A chat reads keys only when it starts\..*\/compact tries it again\.$/,
  );
  assert.doesNotMatch(lines.join('\n'), /continue/);
  assert.deepEqual(
    chat.host.talk.view.turns.map(({ end }) => end?.reason),
    ['done', 'done'],
  );
  // In a pipe the end of the turn says it.
  assert.deepEqual(await linesOf(chat, '/compact'), []);
});
