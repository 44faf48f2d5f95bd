import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isCut, LONGEST_QUERY, queryText } from './query.ts';

const prose =
  'The weather was mild that year and the harvest went on until late in autumn. '.repeat(40);

suite('a long query', () => {
  test('is read at its end and its beginning', () => {
    const text = `Dear team. ${prose}Can you open an issue? Send the report.`;
    const read = queryText(text);
    for (const part of ['Dear team.', 'Can you open an issue?', 'Send the report.'])
      assert.ok(read.includes(part), part);
    assert.ok(read.length <= LONGEST_QUERY);
    assert.ok(!read.includes('harvest'));
  });

  test('without any sentence is read at its end', () => {
    const text = queryText(`${'log entry '.repeat(5_000)} list the pods`);
    assert.match(text, /list the pods$/);
    assert.ok(text.length <= LONGEST_QUERY);
  });

  // A limit that only a time that grows with the square of the length reaches.
  test('of spaces, line ends or brackets is read soon', { timeout: 30_000 }, () => {
    for (const filler of [' ', '\n', '\t', '`', '(', ' (', '. ', 'a', '{', '[ ', ') ', ', '])
      for (const text of [
        `send${filler.repeat(1_000_000)}email`,
        `${filler.repeat(1_000_000)}{"a":1}x`,
      ])
        assert.ok(queryText(text).length <= LONGEST_QUERY, filler);
  });

  test('is read as a whole up to the limit', () => {
    const text = 'x'.repeat(LONGEST_QUERY);
    assert.equal(queryText(text), text);
    assert.deepEqual([isCut(text), isCut(`${text}x`)], [false, true]);
  });

  test('is as long as it is with single spaces', () => {
    const text = `read a file${' '.repeat(LONGEST_QUERY)}now\n \nand\t${' '.repeat(LONGEST_QUERY)}then `;
    assert.equal(queryText(text), 'read a file now\nand\tthen');
    assert.equal(isCut(text), false);
    assert.equal(queryText('a  b'), 'a  b');
  });
});

suite('a query in JSON', () => {
  test('is read by its texts', () => {
    const cases: Readonly<Record<string, string>> = {
      '{"query":"read a file","limit":5}': 'read a file',
      'tool_search({"search_query": "read a file", "mode": "fast"})': 'read a file',
      '```json\n{"action":"find","input":{"queries":["read a file","list pods"]}}\n```':
        'read a file\nlist pods',
      '{"context":"we met","search_text":"read a file"}': 'read a file',
      '{"context":"read a file"}': 'read a file',
      '["read a file", {"verb": "list"}]': 'read a file\nlist',
    };
    for (const [query, text] of Object.entries(cases)) assert.equal(queryText(query), text);
  });

  test('that is none, or holds no text, is read as it is', () => {
    for (const query of ['{read a file}', '{"limit": 5}', 'set x = {a: 1}', '[1, 2]'])
      assert.equal(queryText(query), query);
  });
});
