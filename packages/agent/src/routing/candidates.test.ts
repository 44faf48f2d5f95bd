import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SearchHit } from '@toolfold/core/internal/search/tool-search.ts';
import {
  candidatesFor,
  candidatesOf,
  clausesOf,
  likelihoodOf,
  type PreloadCandidate,
  SIGN_WEIGHTS,
  SIGNS,
} from './preload-choice.ts';
import { createRouter } from './routing.ts';

function find(
  answers: Readonly<Record<string, readonly (readonly [key: string, score: number])[]>>,
  inCategory: readonly string[] = [],
): Readonly<Record<string, PreloadCandidate['signs']>> {
  const search = (text: string, limit: number): SearchHit[] =>
    (answers[text] ?? []).slice(0, limit).map(([key, score]) => ({ key, score }));
  const candidates = candidatesOf({
    texts: Object.keys(answers),
    search,
    bareOf: (key) => key,
    inCategory: new Set(inCategory),
    inServer: new Set(),
  });
  return Object.fromEntries(candidates.map(({ key, signs }) => [key, signs]));
}

const near = (actual: number | undefined, expected: number) =>
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-9, `${actual}, not ${expected}`);

suite('candidates', () => {
  test('the first three hits; the fourth is for comparison', () => {
    const hits = [
      ['a', 0.9],
      ['b', 0.7],
      ['c', 0.6],
      ['d', 0.2],
    ] as const;
    const found = find({ text: hits });
    assert.deepEqual(Object.keys(found), ['a', 'b', 'c']);
    near(found.a?.lead, 0.2);
    near(found.a?.gap, 0.7);
    near(found.c?.lead, -0.3);
    near(found.c?.gap, 0.4);
    assert.deepEqual([found.a?.first, found.b?.first], [1, 0]);
  });

  test('each clause adds what it finds, and the best of it counts', () => {
    const found = find({
      'send mail, list files': [
        ['send_mail', 0.5],
        ['list_files', 0.4],
      ],
      'list files': [
        ['list_files', 0.8],
        ['list_mail', 0.3],
      ],
    });
    near(found.list_files?.score, 0.4);
    near(found.list_files?.lead, 0.5);
    assert.deepEqual([found.list_files?.first, found.list_files?.named], [1, 1]);
    near(found.list_files?.length, Math.log(3));
    near(found.send_mail?.length, Math.log(5));
    assert.deepEqual([found.list_mail?.score, found.list_mail?.first], [0, 0]);
  });

  test('words of a name count in other forms, but not words that only begin alike', () => {
    const named = (text: string, key: string) => find({ [text]: [[key, 0.5]] })[key]?.named;
    assert.equal(named('searching the files', 'search_file'), 1);
    assert.equal(named('creating an issue', 'create_issue'), 1);
    assert.equal(named('a film', 'read_file'), 0);
    assert.equal(named('a cat', 'category_tree'), 0);
    assert.equal(named('', 'read_file'), 0);
    assert.equal(named('text', ''), 0);
  });

  test('a matched category is a sign', () => {
    const found = find(
      {
        text: [
          ['a', 0.5],
          ['b', 0.5],
        ],
      },
      ['b'],
    );
    assert.deepEqual([found.a?.category, found.b?.category], [0, 1]);
  });

  test('none if the scores are not between 0 and 1', () => {
    assert.deepEqual(
      find({
        text: [
          ['a', 17.2],
          ['b', 0.5],
        ],
      }),
      {},
    );
    assert.deepEqual(find({ text: [['a', Number.NaN]] }), {});
    assert.deepEqual(find({ text: [['a', 0.5]], other: [['b', -1]] }), {});
  });
});

/** A message, the tool that a search finds for it, and whether the message names it. */
const NAMED: readonly (readonly [message: string, tool: string, isNamed: boolean])[] = [
  ['Merge the branch login', 'mcp:git/git_merge', true],
  ['Use git and undo it', 'mcp:git/git_reset', true],
  ['Merge the two examples into one', 'mcp:git/git_merge', false],
  ['Which branch is it?', 'mcp:git/git_merge', false],
  ['Convert 30 miles to kilometres', 'mcp:time/convert_time', false],
  ['What time is it in Rome?', 'mcp:time/current_time', true],
  ['What does "echo chamber" mean?', 'mcp:everything/echo', false],
  ['Call the echo tool of everything', 'mcp:everything/echo', true],
  ['Ask the acme crm for him', 'mcp:acme-crm/lookup', true],
  ['Ask the crm for him', 'mcp:acme-crm/lookup', false],
  ['Create a quote for Acme', 'mcp:acme/create_quote', true],
  ['Give me a quote of Goethe', 'mcp:sales/create_quote', false],
  ['Open the app', 'app/open_door', false],
  ['Open the door', 'app/open_door', true],
];

test('a message names a server, a word of a tool and its subject, or all words of a tool', () => {
  for (const [user, tool, isNamed] of NAMED) {
    const [groupId = '', bare = ''] = tool.split('/');
    const view = { name: tool, bare, groupId };
    const turn = {
      ...{ user, isNew: true, rounds: 0, tools: [view], assistant: undefined },
      search: () => [{ key: tool, score: 0.9 }],
      ...{ hasShown: () => false, tokensOf: () => 10, requestTokens: () => 1_000 },
    };
    const [candidate] = candidatesFor(createRouter(), turn);
    assert.equal(candidate?.isNamed, isNamed, user);
  }
});

suite('likelihood', () => {
  test('is between 0 and 1, and no sign lowers it', () => {
    const none = { score: 0, lead: 0, gap: 0, first: 0, named: 0, length: 0, category: 0 };
    assert.ok(likelihoodOf(none) < 0.01);
    for (const sign of SIGNS) {
      assert.ok(likelihoodOf({ ...none, [sign]: 1 }) > likelihoodOf(none), sign);
    }
    assert.equal(likelihoodOf(none, { ...SIGN_WEIGHTS, none: 0 }), 0.5);
  });
});

suite('clauses', () => {
  test('the text first, then each clause once, at most six texts', () => {
    assert.deepEqual(clausesOf('Read it, then mail it.'), [
      'Read it, then mail it.',
      'Read it,',
      'mail it',
    ]);
    assert.deepEqual(clausesOf('Read it.'), ['Read it.']);
    assert.deepEqual(clausesOf('a; a; b'), ['a; a; b', 'a', 'b']);
    assert.equal(clausesOf('a.b.c.d.e.f.g.h').length, 6);
  });
});
