import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApprovalRequest } from '../../agent/index.ts';
import type { AllowedCall } from '../../config/index.ts';
import type { Answer, Question } from '../questions/index.ts';
import { createAsker } from './index.ts';
import { type Pattern, patternsOf, patternText } from './patterns.ts';
import { byStep } from './steps/index.ts';

let definition: string | undefined = 'f';
const tools = {
  addressOf: (name: string) => ({
    ...{ name, bare: name.slice(name.indexOf('__') + 2) },
    groupId: name.includes('__') ? `mcp:${name.split('__')[0]}` : undefined,
  }),
  fingerprintOf: () => definition,
};

const NAME = 'files__write_file';
const of = (given: unknown, name = NAME, isDestructive = false) =>
  patternsOf(name, given, tools, isDestructive);
const call = (given: AllowedCall['arguments'], tool = NAME) => ({
  tool,
  arguments: given,
  definition: 'f',
});
const GLOB = 'mcp:files/write_*';

test('a place is widened to its folder, host or command; other arguments are not', () => {
  const cases: readonly (readonly [given: object, pattern: AllowedCall['arguments']])[] = [
    [{ path: '/home/ada/a.txt' }, { path: '/home/ada/*' }],
    [{ path: 'docs/a.txt' }, { path: 'docs/*' }],
    [{ path: '/etc' }, { path: '/etc' }],
    [{ path: '/etc/passwd' }, { path: '/etc/*' }],
    [{ path: 'a.txt' }, { path: 'a.txt' }],
    [{ path: '/home/ada/a b.txt' }, { path: '/home/ada/a b.txt' }],
    [{ path: '../a/b.txt' }, { path: '../a/*' }],
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
  for (const [given, pattern] of cases) assert.deepEqual(of(given), [call(pattern), GLOB]);
});

test('nothing is offered that cannot be said in full, or would not match', () => {
  for (const given of [
    { paths: ['a'] },
    { a: { b: 1 } },
    { a: 'x'.repeat(400) },
    { a: 'x*' },
    { a: '1\n2' },
  ])
    assert.deepEqual(of(given), [GLOB], JSON.stringify(given));
  assert.deepEqual(of('text'), []);
  assert.deepEqual(of({}, 'own_tool'), [call({}, 'own_tool')]);
  assert.deepEqual(of({}, 'files__write'), [call({}, 'files__write')]);
  assert.deepEqual(of({}, NAME, true), [call({})], 'no glob of what may destroy something');
  definition = undefined;
  assert.deepEqual(of({}), []);
  definition = 'f';
});

test('a pattern is shown in full, with what is invisible', () => {
  assert.equal(patternText(GLOB), 'all tools mcp:files/write_*');
  assert.equal(patternText(call({})), 'files__write_file with no arguments');
  const shown = patternText(call({ path: 'a\u202E*' }));
  assert.match(shown, /^files__write_file with .*\\u202e\*.* and no other arguments$/i);
});

test('"always" for a pattern is shown, saved, and holds at once for what it matches', async () => {
  const questions: Question[] = [];
  const saved: Pattern[] = [];
  const notes: string[] = [];
  const answers: Answer[] = [{ choice: 'always-0' }, { choice: 'reject' }, { choice: 'always-7' }];
  const asker = createAsker({
    note: (text) => notes.push(text),
    signal: new AbortController().signal,
    store: { file: 'toolfold.json', save: (pattern) => saved.push(pattern) },
    tools: () => tools,
    ask: async (question) => {
      questions.push(question);
      return answers.shift() ?? { choice: 'reject' };
    },
  });
  const asked = (path: string, more: Partial<ApprovalRequest> = {}) =>
    asker.approve({ id: 'c', name: NAME, arguments: { path }, askedBy: 'setting', ...more });
  assert.deepEqual(await asked('/home/ada/a'), { approved: true });
  const choice = questions[0]?.choices.find(({ id }) => id === 'always-0');
  const text = /files__write_file with .*\/home\/ada\/\*.* and no other arguments/;
  assert.match(choice?.label ?? '', text);
  assert.match(choice?.confirm?.text ?? '', text);
  assert.equal(choice?.confirm?.marked, 'back');
  assert.deepEqual(saved, [call({ path: '/home/ada/*' })]);
  assert.match(notes.join(), /^Saved in toolfold\.json: files__write_file with /);
  assert.equal((await asked('/home/ada/b')).approved, true);
  assert.equal(questions.length, 1);
  // What does not match is asked about, also what a hook asks and what was not offered.
  assert.equal((await asked('/home/ada/../b')).approved, false);
  assert.equal((await asked('/home/bob/b')).approved, false);
  assert.equal((await asked('/home/ada/b', { askedBy: 'hook' })).approved, false);
  assert.equal((await asked('/home/ada/b', { reason: 'Look.' })).approved, false);
  definition = 'changed';
  assert.equal((await asked('/home/ada/b')).approved, false);
  definition = 'f';
  assert.equal(questions.length, 6);
  assert.equal(saved.length, 1);
  assert.ok(!questions[3]?.choices.some(({ id }) => id.startsWith('always')));
});

test('on lines, a pattern is shown in full and asked once more before it is saved', async () => {
  const [lines, shown, questions] = [
    ['1', 'n', 'always', '2', 'y'],
    [] as string[],
    [] as string[],
  ];
  const saved: Pattern[] = [];
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
    asker.approve({ id, name: NAME, arguments: { path: '/home/ada/a' }, askedBy: 'setting' });
  // `a` alone is an answer for the whole tool, so it ends the first question.
  assert.deepEqual(await ask('c'), { approved: true, scope: 'always' });
  assert.match(
    questions[0] ?? '',
    /1: always for calls like this, 2: always for tools named like this/,
  );
  assert.equal(
    questions[1],
    'From now on, run files__write_file with {"path":"/home/ada/*"} and no other arguments without a question? toolfold.json keeps this. n: no, go back, y: yes, always > ',
  );
  assert.equal(questions[2], questions[0]);
  assert.equal(shown.length, 2, 'the call is shown again');
  assert.deepEqual(saved, []);
  assert.deepEqual(await ask('d'), { approved: true });
  assert.match(questions[4] ?? '', /^From now on, run all tools mcp:files\/write_\* without/);
  assert.deepEqual(saved, [GLOB]);
});
