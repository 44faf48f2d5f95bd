import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { cleaned } from '../../test/subagents/cleaned.test-support.ts';
import { readAnswer } from './answer.ts';

const answer = { summary: 'Two found.', findings: ['a', { file: 'b.ts' }], open_questions: ['c?'] };
const json = JSON.stringify(answer);
const pretty = JSON.stringify(answer, null, 2);

function read(value: unknown) {
  return readAnswer(JSON.stringify(value), 'structured');
}

/** Characters with a meaning for the parser: braces, fences, escapes, lone surrogates. */
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
/** Matches a character that JSON writes as a number. A backslash of the text itself is doubled. */
const ESCAPED = /(?<!\\)(?:\\\\)*\\u/;
const hostileText = hostile.map((value) => (typeof value === 'string' ? value : value.join('')));

suite('the answer of a child', () => {
  for (const [name, text] of [
    ['bare', json],
    ['over several lines', `\n${pretty}\n`],
    ['in a fence', `\`\`\`json\n${pretty}\n\`\`\``],
    ['in a fence of no language', `\`\`\`\n${pretty}\n\`\`\``],
  ] as const) {
    test(`is read ${name}`, () => {
      assert.deepEqual(readAnswer(text, 'structured'), answer);
    });
  }

  test('is read behind thoughts between tags, which are not passed on', () => {
    assert.deepEqual(readAnswer(`<think>\nWell.\n</think>\n${json}`, 'structured'), answer);
    assert.deepEqual(readAnswer('Well.\n</think>\nTwo.', 'concise'), { answer: 'Two.' });
    assert.deepEqual(readAnswer('<think>Two.', 'concise'), { answer: '<think>Two.' });
  });

  test('is read with a fence inside', () => {
    const quoting = { ...answer, summary: 'Run:\n```json\n{}\n```' };
    const text = `\`\`\`json\n${JSON.stringify(quoting, null, 2)}\n\`\`\``;
    assert.deepEqual(readAnswer(text, 'structured'), quoting);
  });

  test('has its keys in a fixed order', () => {
    const value = { open_questions: [], findings: [], summary: 's' };
    assert.equal(JSON.stringify(read(value)), '{"summary":"s","findings":[],"open_questions":[]}');
  });

  test('is read despite small mistakes', () => {
    assert.deepEqual(read({ summary: 's' }), { summary: 's', findings: [], open_questions: [] });
    assert.deepEqual(read({ summary: 's', findings: 'one', open_questions: null }), {
      summary: 's',
      findings: ['one'],
      open_questions: [],
    });
    assert.deepEqual(read({ summary: 's', findings: { a: 1 }, open_questions: 'q?' }), {
      summary: 's',
      findings: [{ a: 1 }],
      open_questions: ['q?'],
    });
  });

  // Text beside an object may contradict it, and with two objects neither is known to be the answer.
  for (const [name, text] of [
    [
      'after words',
      'I could not finish. Do not trust the log, which only says {"summary": "All tests pass"}',
    ],
    ['before words', `${json}\nThis is what I was told to say; it is wrong.`],
    ['in a fence after words', `A draft:\n\`\`\`json\n${json}\n\`\`\``],
    ['in a fence before words', `\`\`\`json\n${json}\n\`\`\`\nNone of it is so.`],
    ['in two fences', `\`\`\`json\n${json}\n\`\`\`\n\`\`\`json\n${json}\n\`\`\``],
    ['in a fence that never ends', `\`\`\`json\n${json}`],
    ['in a fence of another language', `\`\`\`python\n${json}\n\`\`\``],
    ['twice', `${json}\n${json}`],
    ['in a list', `[${json}]`],
  ] as const) {
    test(`is its whole text if the object stands ${name}`, () => {
      assert.deepEqual(readAnswer(text, 'structured'), { answer: text });
    });
  }

  for (const [name, text] of [
    ['a key that is not asked for', '{"summary":"Done.","blocked":"No access."}'],
    ['a key twice', '{"summary":"It failed.","summary":"It works."}'],
    ['a key of a finding twice', '{"summary":"s","findings":[{"a":"x","a":"y"}]}'],
    ['keys that differ in what is not shown', '{"summary":"s","findings":[{"a\\u0000":1,"a":2}]}'],
    [
      'digits that a number cannot hold',
      '{"summary":"s","findings":[{"id":12345678901234567890}]}',
    ],
    ['a finding that is no text or object', '{"summary":"s","findings":[1]}'],
    ['a question that is no text', '{"summary":"s","open_questions":[{"q":"why"}]}'],
    ['a list that is none', '{"summary":"s","findings":false}'],
  ] as const) {
    test(`is its whole text if it has ${name}`, () => {
      assert.deepEqual(readAnswer(text, 'structured'), { answer: text });
    });
  }

  test('is its text if it cannot be parsed or no structure was requested', () => {
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

  test('is undefined if there is only white space', () => {
    for (const text of ['', ' \n\t', '\0\u0007\u0085', '\u00a0\u2028']) {
      assert.equal(readAnswer(text, 'structured'), undefined);
    }
  });

  test('has no control characters except line breaks and tabs, and is well-formed', () => {
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
    for (const text of [
      '{"summary":"s","__proto__":{"findings":["x"]}}',
      '{"summary":"s","findings":[{"__proto__":{"b":1},"c":2}]}',
      '{"summary":"s","toString":"x"}',
    ]) {
      assert.deepEqual(readAnswer(text, 'structured'), { answer: text });
    }
    const named = { summary: 's', findings: [{ constructor: 'c' }], open_questions: [] };
    assert.deepEqual(read(named), named);
    const unnamed = '{"__proto__":{"summary":"s"},"constructor":"x"}';
    assert.deepEqual(readAnswer(unnamed, 'structured'), { answer: unnamed });
    assert.equal(({} as { b?: number }).b, undefined);
  });

  test('is its text if it is nested too deeply to be serialized everywhere', () => {
    const nested = (depth: number) =>
      `{"summary":"s","findings":[{"a":${'['.repeat(depth)}${']'.repeat(depth)}}]}`;
    assert.ok('summary' in (readAnswer(nested(20), 'structured') ?? {}));
    for (const depth of [100, 400_000]) {
      assert.ok('answer' in (readAnswer(nested(depth), 'structured') ?? {}));
    }
  });

  // With quadratic work this test would not end.
  for (const [name, text] of [
    ['braces', '{'.repeat(1e6)],
    ['braces and quotes', '{"'.repeat(5e5)],
    ['nested objects', '{"a":'.repeat(2e5) + '}'.repeat(2e5)],
    ['blanks after braces', `${'{ '.repeat(5e5)}}`],
    ['a brace and blanks', `{${' '.repeat(1e6)}`],
    ['fences', `${'```json\n{"'.repeat(1e5)}}`],
    ['ends of fences', `\`\`\`json${'\n```'.repeat(3e5)}x`],
    ['an outline', `{"summary":"${'\\\\'.repeat(5e5)}","extra":1}`],
  ] as const) {
    test(`a megabyte of ${name} is text`, () => {
      assert.deepEqual(readAnswer(text, 'structured'), { answer: text });
    });
  }

  test('text beside an object is never lost', () => {
    const visible = hostileText.filter((text) => /[!-~]/.test(text));
    fc.assert(
      fc.property(visible, fc.boolean(), (beside, isBefore) => {
        const text = isBefore ? beside + json : json + beside;
        assert.deepEqual(readAnswer(text, 'structured'), { answer: cleaned(text) });
      }),
    );
  });

  test('as fields, it holds everything that the object holds', () => {
    const finding = fc.dictionary(fc.string(), fc.jsonValue());
    let read = 0;
    fc.assert(
      fc.property(fc.array(finding), (findings) => {
        const text = JSON.stringify({ summary: 's', findings });
        const said = readAnswer(text, 'structured');
        if (said && 'summary' in said) {
          read += 1;
          assert.equal(JSON.stringify(said.findings), JSON.stringify(findings));
        } else assert.deepEqual(said, { answer: text });
      }),
    );
    assert.ok(read > 10, 'the property was hardly tried');
  });

  test('any text is read without an error', () => {
    fc.assert(
      fc.property(hostileText, fc.constantFrom('structured', 'concise'), (text, format) => {
        const said = readAnswer(text, format);
        assert.ok(JSON.stringify(said ?? '').isWellFormed());
        assert.doesNotMatch(JSON.stringify(said ?? ''), ESCAPED);
      }),
    );
  });
});
