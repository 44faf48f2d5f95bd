import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Tool } from '@toolfold/core/internal/tool/tool.ts';
import { createAsker } from './asker.ts';
import { byStep } from './by-step.ts';
import { offeredTools, toolsChoice } from './patterns.ts';
import type { Question } from './question.ts';

type Marks = Tool['annotations'];

const READS = { readOnlyHint: true };
const WRITES = { readOnlyHint: false, destructiveHint: false };
const DESTROYS = { readOnlyHint: false, destructiveHint: true };

/** What the published server of git says of its tools. */
const GIT: Readonly<Record<string, Marks>> = {
  git__git_status: READS,
  git__git_diff: READS,
  git__git_log: READS,
  git__git_show: READS,
  git__git_add: WRITES,
  git__git_commit: WRITES,
  git__git_create_branch: WRITES,
  git__git_reset: DESTROYS,
};

/** Tools that are loaded, by their names. */
function toolsOf(marks: Readonly<Record<string, Marks>>, unknown: readonly string[] = []) {
  const addressOf = (name: string) => {
    const [group = '', bare = name] = name.split('__');
    return { name, bare, groupId: bare === name ? undefined : `mcp:${group}` };
  };
  const tools = {
    addressOf,
    fingerprintOf: (name: string) => (unknown.includes(name) ? undefined : `f-${name}`),
    known: () => ({ tools: Object.keys(marks).map(addressOf), unnamed: [] }),
  };
  const marksOf = (name: string): Marks => marks[name];
  return { tools, marksOf };
}

function offered(name: string, marks = GIT, unknown: readonly string[] = []) {
  const { tools, marksOf } = toolsOf(marks, unknown);
  return offeredTools(name, tools, marksOf);
}

const namesOf = (...given: Parameters<typeof offered>) =>
  Object.keys(offered(...given)?.tools ?? {}).map((name) => name.replace('git__git_', ''));

describe('the tools of an offer', () => {
  test('a read covers the reads of its server, and nothing that writes, destroys or is unmarked', () => {
    const marks = { ...GIT, git__git_odd: undefined, git__git_empty: {}, other__read: READS };
    assert.deepEqual(namesOf('git__git_log', marks), ['diff', 'log', 'show', 'status']);
    const both = { ...GIT, git__git_wipe: { readOnlyHint: true, destructiveHint: true } };
    assert.deepEqual(namesOf('git__git_log', both), ['diff', 'log', 'show', 'status']);
  });

  test('a write covers the writes that begin alike, and neither a read nor what destroys', () => {
    const marks = { ...GIT, git__git_odd: undefined, git__push_all: WRITES };
    const names = ['add', 'commit', 'create_branch', 'odd'];
    for (const name of ['git__git_add', 'git__git_odd'])
      assert.deepEqual(namesOf(name, marks), names);
  });

  test('what destroys is allowed alone, and so is a tool without a server or a verb', () => {
    assert.equal(offered('git__git_reset'), undefined);
    const own = { a_read: READS, a_list: READS, git__commit: WRITES, git__add: WRITES };
    for (const name of ['a_read', 'git__commit', 'gone'])
      assert.equal(offered(name, own), undefined);
  });

  test('what has not loaded, cannot be shown as it is, or is too much, is not offered', () => {
    assert.deepEqual(namesOf('git__git_log', GIT, ['git__git_show']), ['diff', 'log', 'status']);
    assert.equal(offered('git__git_log', GIT, ['git__git_log']), undefined);
    const hostile = [
      `git__${'x'.repeat(10_000)}`,
      'git__a\u001b[2Jb',
      'git__a\u202Eb',
      'git__a\nb',
    ];
    const more = Object.fromEntries(hostile.map((name) => [name, READS]));
    assert.deepEqual(namesOf('git__git_log', { ...GIT, ...more }), [
      'diff',
      'log',
      'show',
      'status',
    ]);
    for (const name of hostile) assert.equal(offered(name, { ...GIT, ...more }), undefined);
    const many = Array.from({ length: 101 }, (_, at) => [`git__read_${at}`, READS] as const);
    assert.equal(offered('git__read_1', Object.fromEntries(many)), undefined);
    assert.equal(namesOf('git__read_1', Object.fromEntries(many.slice(1))).length, 100);
  });

  test('a server with the names of another one is not covered', () => {
    const twins = Object.fromEntries(
      Object.entries(GIT).flatMap(([name, marks]) => [
        [name, marks],
        [name.replace('git__', 'git2__'), marks],
      ]),
    );
    assert.deepEqual(namesOf('git__git_log', twins), ['diff', 'log', 'show', 'status']);
    assert.ok(
      Object.keys(offered('git2__git_log', twins)?.tools ?? {}).every((name) =>
        name.startsWith('git2__'),
      ),
    );
  });
});

test('a choice names what it covers, and the second question all of it', () => {
  const offer = offered('git__git_log');
  assert.ok(offer);
  const { label, confirm } = toolsChoice(offer, 'toolfold.json');
  assert.equal(label, 'Allow 4 reads of git: git__git_diff, git__git_log, git__git_show, …');
  assert.deepEqual(confirm?.details, [
    '4 reads of git:',
    '  git__git_diff, git__git_log, git__git_show, git__git_status',
    'The server says that they only read. A tool that changes, and a new one, is asked about.',
  ]);
  assert.equal(confirm?.marked, 'back');
  const ids = ['back', 'reads-session', 'reads-always'];
  assert.deepEqual(
    confirm?.choices.map(({ id }) => id),
    ids,
  );
  assert.deepEqual(
    toolsChoice(offer, undefined).confirm?.choices.map(({ id }) => id),
    ids.slice(0, 2),
  );
  const writes = offered('git__git_add');
  assert.equal(
    writes && toolsChoice(writes, undefined).label,
    'Allow 3 tools of git that may change data: git__git_add, git__git_commit, git__git_create_branch',
  );
});

const call = { id: 'c', name: 'git__git_log', arguments: {}, askedBy: 'setting' } as const;
const LISTED = Object.fromEntries(
  ['diff', 'log', 'show', 'status'].map((name) => [`git__git_${name}`, `f-git__git_${name}`]),
);

test('an answer names the tools with their fingerprints; "always" is saved so', async () => {
  const saved: unknown[] = [];
  const notes: string[] = [];
  let choice = 'reads-session';
  let asked: Question | undefined;
  const { tools, marksOf } = toolsOf(GIT);
  const asker = createAsker({
    ...{ marksOf, tools: () => tools, note: (text: string) => notes.push(text) },
    signal: new AbortController().signal,
    store: { file: 'toolfold.json', save: (allowed) => saved.push(allowed) },
    ask: async (question) => {
      asked = question;
      return { choice };
    },
  });
  assert.deepEqual(await asker.approve(call), { approved: true, tools: LISTED });
  assert.deepEqual(saved, []);
  choice = 'reads-always';
  assert.deepEqual(await asker.approve(call), { approved: true, tools: LISTED });
  assert.deepEqual(saved, [{ tools: LISTED }]);
  assert.match(
    notes.join(),
    /^Saved in toolfold\.json: git__git_diff, .*, git__git_status run with/,
  );
  // What was not offered denies: of another kind, of a hook, the choice that only leads to the second question.
  for (choice of ['changes-session', 'reads', 'back', 'x-always'])
    assert.equal((await asker.approve(call)).approved, false, choice);
  choice = 'reads-always';
  assert.equal((await asker.approve({ ...call, askedBy: 'hook' })).approved, false);
  assert.equal((await asker.approve({ ...call, name: 'git__git_add' })).approved, false);
  assert.equal(saved.length, 1);
  choice = 'reject';
  await asker.approve({ ...call, position: { at: 1, of: 3 } });
  assert.deepEqual(asked?.details, ['Question 1 of 3. It needs your approval.']);
  asker.onAlways('git__git_add');
  assert.deepEqual(saved[1], { tools: { git__git_add: 'f-git__git_add' } });
});

test('on lines, the tools are listed before they are allowed', async () => {
  const [lines, said] = [['t', 'n', 't', 's'], [] as string[]];
  const { tools, marksOf } = toolsOf(GIT);
  const asker = createAsker({
    ...{ marksOf, tools: () => tools, note: () => {} },
    signal: new AbortController().signal,
    ask: byStep({
      show: (text) => said.push(text),
      askLine: async (text) => {
        said.push(text);
        return lines.shift();
      },
    }),
  });
  assert.deepEqual(await asker.approve(call), { approved: true, tools: LISTED });
  assert.equal(said.filter((text) => text.includes('git__git_show, git__git_status')).length, 2);
  assert.match(said[1] ?? '', /t: these 4 tools, n: no/);
  assert.match(said[3] ?? '', /n: no, go back, s: yes, in this session > $/);
});
