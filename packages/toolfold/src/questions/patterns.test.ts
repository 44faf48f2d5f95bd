import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ApprovalRequest } from '@toolfold/agent/internal/events/user-requests.ts';
import type { AllowedCall, AllowRule } from '@toolfold/config/internal/settings/tools.ts';
import { home } from '../../test/cli/process.test-support.ts';
import { createAsker } from './asker.ts';
import { byStep } from './by-step.ts';
import { patternOf, patternText } from './patterns.ts';
import type { Answer, Question } from './question.ts';

let definition: string | undefined = 'f';
const addressOf = (name: string) => ({
  ...{ name, bare: name.slice(name.indexOf('__') + 2) },
  groupId: name.includes('__') ? `mcp:${name.split('__')[0]}` : undefined,
});
const tools = {
  addressOf,
  fingerprintOf: () => definition,
  known: () => ({ tools: [addressOf('files__write_file')], unnamed: [] }),
};

const NAME = 'files__write_file';
const call = (given: AllowedCall['arguments'], tool = NAME) => ({
  tool,
  arguments: given,
  definition: 'f',
});

test('a place is widened to its folder inside that of the session, or to its host; a command to its words', async (context) => {
  const folder = await home(context);
  for (const name of ['docs', '~', 'file:', '$HOME'])
    await mkdir(join(folder, name, 'a'), { recursive: true });
  await symlink('/etc', join(folder, 'link'));
  const cases: readonly (readonly [given: object, pattern: AllowedCall['arguments']])[] = [
    [{ path: join(folder, 'docs/a.txt') }, { path: join(folder, 'docs/*') }],
    [{ path: join(folder, 'a.txt') }, { path: join(folder, '*') }],
    [{ path: 'docs/a.txt' }, { path: 'docs/*' }],
    [{ path: 'a.txt' }, { path: 'a.txt' }],
    [{ url: 'https://example.com/a/b' }, { url: 'https://example.com/*' }],
    [{ url: 'https://example.com/a?x=1' }, { url: 'https://example.com/a?x=1' }],
    [{ command: 'git log main' }, { command: 'git log*' }],
    [{ command: 'git log' }, { command: 'git log*' }],
    [{ command: 'git log --all' }, { command: 'git log --all' }],
    [{ command: 'git log; rm x' }, { command: 'git log; rm x' }],
    [{ command: 'rm -rf a' }, { command: 'rm -rf a' }],
    [
      { path: 'docs/a.txt', content: 'one two three', append: true },
      { path: 'docs/*', content: 'one two three', append: true },
    ],
    [{}, {}],
  ];
  for (const [given, pattern] of cases)
    assert.deepEqual(patternOf(NAME, given, tools, folder), call(pattern), JSON.stringify(given));
  const outside = [
    ...[
      '/etc',
      '/etc/passwd',
      '/tmp/a.txt',
      '../a/b.txt',
      'docs/../../a/b.txt',
      `${folder}x/a.txt`,
    ],
    // Links lead out; what does not exist may become a link; a server may read these in another way.
    ...['link/passwd', join(folder, 'link/passwd'), 'new/a.txt', '~/a.txt', '~/a/b.txt'],
    ...['file:/a/b.txt', 'file:///etc/passwd', '$HOME/a/b.txt'],
  ];
  for (const path of outside)
    assert.deepEqual(patternOf(NAME, { path }, tools, folder), call({ path }), path);
  const path = join(folder, 'docs/a.txt');
  assert.deepEqual(
    patternOf(NAME, { path }, tools, undefined),
    call({ path }),
    'no folder is known',
  );
});

test('nothing is offered that cannot be said in full, or would not match', () => {
  for (const given of [
    { paths: ['a'] },
    { a: { b: 1 } },
    { a: 'x'.repeat(400) },
    { a: 'x*' },
    { a: '1\n2' },
    'text',
  ])
    assert.equal(patternOf(NAME, given, tools, undefined), undefined, JSON.stringify(given));
  assert.deepEqual(patternOf('own_tool', {}, tools, undefined), call({}, 'own_tool'));
  definition = undefined;
  assert.equal(patternOf(NAME, {}, tools, undefined), undefined);
  definition = 'f';
});

test('a pattern is shown in full, with what is invisible', () => {
  assert.equal(patternText(call({})), 'files__write_file with no arguments');
  const shown = patternText(call({ path: 'a\u202E*' }));
  assert.match(shown, /^files__write_file with .*\\u202e\*.* and no other arguments$/i);
});

test('"always" for calls is shown, saved, and holds at once for what it matches', async (context) => {
  const folder = await home(context);
  const questions: Question[] = [];
  const saved: AllowRule[] = [];
  const notes: string[] = [];
  const answers: Answer[] = [{ choice: 'calls' }, { choice: 'reject' }, { choice: 'reads-always' }];
  const asker = createAsker({
    note: (text) => notes.push(text),
    signal: new AbortController().signal,
    store: { file: 'toolfold.json', save: (pattern) => saved.push(pattern) },
    ...{ tools: () => tools, folder },
    ask: async (question) => {
      questions.push(question);
      return answers.shift() ?? { choice: 'reject' };
    },
  });
  const asked = (name: string, more: Partial<ApprovalRequest> = {}) =>
    asker.approve({
      ...{ id: 'c', name: NAME, arguments: { path: join(folder, name) }, askedBy: 'setting' },
      ...more,
    });
  assert.deepEqual(await asked('a'), { approved: true });
  const choice = questions[0]?.choices.find(({ id }) => id === 'calls');
  const place = join(folder, '*');
  for (const text of [choice?.label, choice?.confirm?.text])
    assert.ok(text?.includes(`files__write_file with {"path":"${place}"} and no other arguments`));
  assert.equal(choice?.confirm?.marked, 'back');
  assert.deepEqual(saved, [call({ path: place })]);
  assert.match(notes.join(), /^Saved in toolfold\.json: files__write_file with .* runs without /);
  assert.equal((await asked('b')).approved, true);
  assert.equal(questions.length, 1);
  // What does not match is asked about, also what a hook asks and what was not offered.
  assert.equal((await asked('../b')).approved, false);
  assert.equal((await asked('../x/b')).approved, false);
  assert.equal((await asked('b', { askedBy: 'hook' })).approved, false);
  assert.equal((await asked('b', { reason: 'Look.' })).approved, false);
  definition = 'changed';
  assert.equal((await asked('b')).approved, false);
  definition = 'f';
  assert.equal(questions.length, 6);
  assert.equal(saved.length, 1);
  const offered = questions[3]?.choices.map(({ id }) => id);
  assert.deepEqual(offered, ['once', 'reject', 'because']);
});

test('on lines, calls are shown in full and asked once more before they are saved', async () => {
  const [lines, questions] = [['1', 'n', 'always', '1', 'y'], [] as string[]];
  const shown: string[] = [];
  const saved: AllowRule[] = [];
  const asker = createAsker({
    note: () => {},
    signal: new AbortController().signal,
    store: { file: 'toolfold.json', save: (pattern) => saved.push(pattern) },
    tools: () => tools,
    ask: byStep({
      show: (text) => shown.push(text),
      askLine: async (text) => {
        questions.push(text);
        return lines.shift();
      },
    }),
  });
  const ask = (id: string) =>
    asker.approve({ id, name: NAME, arguments: { path: 'a' }, askedBy: 'setting' });
  // `a` alone is an answer for the whole tool, so it ends the first question.
  assert.deepEqual(await ask('c'), { approved: true, scope: 'always' });
  assert.match(questions[0] ?? '', /1: always for calls like this, n: no/);
  assert.equal(
    questions[1],
    'From now on, run files__write_file with {"path":"a"} and no other arguments without a question? toolfold.json keeps this. n: no, go back, y: yes, always > ',
  );
  assert.equal(questions[2], questions[0]);
  assert.equal(shown.length, 2, 'the call is shown again');
  assert.deepEqual(saved, []);
  assert.deepEqual(await ask('d'), { approved: true });
  assert.deepEqual(saved, [call({ path: 'a' })]);
});
