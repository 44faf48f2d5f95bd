import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { nearNames } from '../../src/near-names.ts';

const names = [
  'github__create_issue',
  'github__create_issue_comment',
  'gitlab__create_issue',
  'files__read_file',
  'files__readMultipleFiles',
  'mail__list-mail-messages',
  'get',
  'read',
];

suite('nearNames', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['case', 'FILES__READ_FILE', ['files__read_file']],
    ['separators', 'mail.list_mail_messages', ['mail__list-mail-messages']],
    [
      'the end before the middle',
      'create_issue',
      ['github__create_issue', 'gitlab__create_issue', 'github__create_issue_comment'],
    ],
    ['another prefix', 'mcp__github__create_issue', ['github__create_issue']],
    ['a typing error', 'files__raed_file', ['files__read_file']],
    ['two neighbours swapped', 'raed', ['read']],
    ['a typing error without the group', 'list_mail_mesages', ['mail__list-mail-messages']],
    ['nothing near', 'delete_repository', []],
    ['part of a word', 'ile', []],
    ['a short name in a long query', 'get_the_weather_tomorrow', []],
    ['no letters', ' -- ', []],
  ];
  for (const [label, query, expected] of cases) {
    test(`${label}: ${query}`, () => assert.deepEqual(nearNames(query, names, 3), expected));
  }

  test('returns at most the limit, each name once', () => {
    assert.equal(nearNames('create_issue', [...names, ...names], 2).length, 2);
    assert.deepEqual(nearNames('create_issue', names, 0), []);
    assert.deepEqual(nearNames('get', ['get', 'get'], 5), ['get']);
  });

  test('compares the first 200 characters of a query', () => {
    const long = 'a'.repeat(200);
    assert.deepEqual(nearNames(`${long}${'b'.repeat(1_000_000)}`, [long], 5), [long]);
  });

  test('finds every name by the name itself, with one typing error, and by its end', () => {
    const identifier = fc.stringMatching(/^[a-z]{4,8}_[a-z]{4,8}$/);
    fc.assert(
      fc.property(identifier, fc.nat(7), (name, at) => {
        assert.deepEqual(nearNames(name.toUpperCase(), [name], 1), [name]);
        assert.deepEqual(nearNames(`${name.slice(0, at)}${name.slice(at + 1)}`, [name], 1), [name]);
        assert.deepEqual(nearNames(name, [`server__${name}`], 1), [`server__${name}`]);
      }),
    );
  });

  test('depends on the set of names only, and returns members of it', () => {
    const list = fc.array(fc.oneof(fc.constantFrom(...names), fc.string({ unit: 'binary' })));
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...names), fc.string()), list, (query, some) => {
        const found = nearNames(query, some, 5);
        assert.ok(found.every((name) => some.includes(name)));
        assert.deepEqual(nearNames(query, some.toReversed(), 5), found);
      }),
    );
  });
});
