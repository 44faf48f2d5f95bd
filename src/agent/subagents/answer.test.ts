import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { readAnswer } from './answer.ts';

const answer = { summary: 'Two found.', findings: ['a', { file: 'b.ts' }], open_questions: ['c?'] };
const json = JSON.stringify(answer);
const pretty = JSON.stringify(answer, null, 2);

function read(value: unknown) {
  return readAnswer(JSON.stringify(value), 'structured');
}

/** Every character a way into the reader: braces, fences, escapes, halves of pairs. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(
    fc.constantFrom(
      '{',
      '}',
      '"',
      ':',
      '[',
      ']',
      '\\',
      '```json\n',
      '\n```',
      '{"summary":"x"',
      '\0',
    ),
  ),
  fc.json(),
);
const hostileText = hostile.map((value) => (typeof value === 'string' ? value : value.join('')));

suite('what a child says', () => {
  for (const [name, text] of [
    ['bare', json],
    ['over several lines', `\n${pretty}\n`],
    ['in a fence', `\`\`\`json\n${pretty}\n\`\`\``],
    ['in a fence of no language', `\`\`\`\n${pretty}\n\`\`\``],
    ['between sentences', `Here it is:\n${json}\nThat is all.`],
    ['after braces around a word', `The set {x}: ${json}`],
    ['in a fence between braces', `{"x"}\n\`\`\`json\n${pretty}\n\`\`\`\nand {y}`],
    ['with a fence that never ends', `{"x"}\n\`\`\`json\n${pretty}`],
  ] as const) {
    test(`is read ${name}`, () => {
      assert.deepEqual(readAnswer(text, 'structured'), answer);
    });
  }

  test('is read with a fence inside', () => {
    const quoting = { ...answer, summary: 'Run:\n```json\n{}\n```' };
    assert.deepEqual(
      readAnswer(`{}\n\`\`\`json\n${JSON.stringify(quoting)}\n\`\`\``, 'structured'),
      quoting,
    );
  });

  test('has its keys in one order and no others', () => {
    const value = { open_questions: [], extra: 1, findings: [], summary: 's' };
    assert.equal(JSON.stringify(read(value)), '{"summary":"s","findings":[],"open_questions":[]}');
  });

  test('is read in spite of small slips', () => {
    assert.deepEqual(read({ summary: 's' }), { summary: 's', findings: [], open_questions: [] });
    assert.deepEqual(read({ summary: 's', findings: 'one', open_questions: null }), {
      summary: 's',
      findings: ['one'],
      open_questions: [],
    });
    assert.deepEqual(read({ summary: 's', findings: { a: 1 }, open_questions: { q: 'w' } }), {
      summary: 's',
      findings: [{ a: 1 }],
      open_questions: ['{"q":"w"}'],
    });
    assert.deepEqual(read({ summary: 's', findings: [1, null, ['x']] }), {
      summary: 's',
      findings: ['1', 'null', '["x"]'],
      open_questions: [],
    });
  });

  test('is its text where it cannot be read, or was not to be', () => {
    for (const text of [
      'No JSON.',
      '{"findings":[]}',
      '{"summary":1}',
      '{"summary":"cut o',
      '[{"summary":"x"}, {"summary":"y"}]',
      '}{',
    ]) {
      assert.deepEqual(readAnswer(text, 'structured'), { answer: text });
    }
    assert.deepEqual(readAnswer(json, 'concise'), { answer: json });
    assert.deepEqual(readAnswer(json, 'detailed'), { answer: json });
  });

  test('is nothing where there are only blanks', () => {
    for (const text of ['', ' \n\t', '\0\u0007\u0085', '\u00a0\u2028']) {
      assert.equal(readAnswer(text, 'structured'), undefined);
    }
  });

  test('has no control characters but line breaks and tabs, and is well-formed', () => {
    const dirty = 'a\0b\r\n\tc\u001b[1m\u007f\u0085\ud800d\u{1f600}';
    const clean = 'ab\n\tc[1m\ufffdd\u{1f600}';
    assert.deepEqual(readAnswer(dirty, 'concise'), { answer: clean });
    const findings = [dirty, { [dirty]: [dirty] }];
    assert.deepEqual(read({ summary: dirty, findings, open_questions: [dirty] }), {
      summary: clean,
      findings: [clean, { [clean]: [clean] }],
      open_questions: [clean],
    });
  });

  test('promise 37: names of Object.prototype do no harm', () => {
    const text = '{"summary":"s","__proto__":{"a":1},"findings":[{"__proto__":{"b":1},"c":2}]}';
    const said = readAnswer(text, 'structured');
    assert.deepEqual(said, { summary: 's', findings: [{ c: 2 }], open_questions: [] });
    const unnamed = '{"__proto__":{"summary":"s"},"constructor":"x"}';
    assert.deepEqual(readAnswer(unnamed, 'structured'), { answer: unnamed });
    assert.equal(({} as { b?: number }).b, undefined);
  });

  test('is its text where it is nested more deeply than can be written out everywhere', () => {
    const nested = (depth: number) =>
      `{"summary":"s","findings":[${'['.repeat(depth)}${']'.repeat(depth)}]}`;
    assert.ok('summary' in (readAnswer(nested(20), 'structured') ?? {}));
    for (const depth of [100, 400_000]) {
      assert.ok('answer' in (readAnswer(nested(depth), 'structured') ?? {}));
    }
  });

  // Work that grows with the square of the text would not come to an end here.
  for (const [name, text] of [
    ['braces', '{'.repeat(1e6)],
    ['braces and quotes', '{"'.repeat(5e5)],
    ['nested objects', '{"a":'.repeat(2e5) + '}'.repeat(2e5)],
    ['blanks after braces', `${'{ '.repeat(5e5)}}`],
    ['a brace and blanks', `{${' '.repeat(1e6)}`],
    ['fences', `${'```json\n{"'.repeat(1e5)}}`],
  ] as const) {
    test(`a megabyte of ${name} is text`, () => {
      assert.deepEqual(readAnswer(text, 'structured'), { answer: text });
    });
  }

  test('whatever it is, it is read without an error', () => {
    fc.assert(
      fc.property(hostileText, fc.constantFrom('structured', 'concise'), (text, format) => {
        const said = readAnswer(text, format);
        assert.ok(JSON.stringify(said ?? '').isWellFormed());
        assert.doesNotMatch(JSON.stringify(said ?? ''), /\\u/);
      }),
    );
  });
});
