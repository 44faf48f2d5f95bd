import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { StructuredAnswer } from './answer.ts';
import { fitAnswer, fitText, jsonBytes } from './report.ts';

const MARK = ' … [cut]';
const long = 'x'.repeat(1_000);
const text = fc.string({ unit: 'grapheme', maxLength: 120 });
const answers: fc.Arbitrary<StructuredAnswer> = fc.record(
  {
    summary: text,
    findings: fc.array(fc.oneof(text, fc.dictionary(text, text, { maxKeys: 3 }))),
    open_questions: fc.array(text),
  },
  { noNullPrototype: true },
);

function fit(answer: Partial<StructuredAnswer>, limit: number): StructuredAnswer {
  const fitted = fitAnswer({ summary: '', findings: [], open_questions: [], ...answer }, limit);
  assert.ok(fitted && 'summary' in fitted);
  return fitted;
}

suite('fitting into bytes', () => {
  test('bytes are those of UTF-8', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()), (value) => {
        assert.equal(jsonBytes(value), Buffer.byteLength(JSON.stringify(value)));
      }),
    );
  });

  test('a text is cut between code points, as late as possible', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', size: '+1' }), fc.nat(300), (whole, limit) => {
        const fitted = fitText(whole, limit);
        if (jsonBytes(whole) <= limit) return assert.equal(fitted, whole);
        if (fitted === undefined) return assert.ok(limit < jsonBytes(MARK) + 4, String(limit));
        assert.ok(fitted.endsWith(MARK) && fitted.isWellFormed());
        assert.ok(whole.startsWith(fitted.slice(0, -MARK.length)));
        assert.ok(jsonBytes(fitted) <= limit && jsonBytes(fitted) > limit - 4);
      }),
    );
    assert.equal(fitText('😀😀😀😀', 2 + 4 + 7 + MARK.length + 2), '😀😀😀😀');
    assert.equal(fitText('😀😀😀😀😀', 2 + 4 + 3 + MARK.length + 2), `😀${MARK}`);
  });

  test('an answer takes at most its limit', () => {
    fc.assert(
      fc.property(answers, fc.nat(1_500), (answer, limit) => {
        const fitted = fitAnswer(answer, limit);
        if (fitted) assert.ok(jsonBytes(fitted) <= limit);
        if (jsonBytes(answer) <= limit) assert.deepEqual(fitted, answer);
      }),
    );
  });

  test('an answer that fits to the byte is whole, its summary too', () => {
    // Half of the room, 4 bytes, is too short for the mark.
    const answer = { summary: 'x'.repeat(8), findings: [], open_questions: [] };
    assert.equal(jsonBytes(answer), 56);
    assert.deepEqual(fitAnswer(answer, 56), answer);
  });

  test('shown findings keep their order', () => {
    fc.assert(
      fc.property(answers, fc.nat(1_500), (answer, limit) => {
        const fitted = fitAnswer(answer, limit);
        if (!fitted || !('summary' in fitted)) return;
        let next = 0;
        for (const finding of fitted.findings) {
          const isShown = (whole: unknown) =>
            typeof whole === 'string' && typeof finding === 'string'
              ? whole === finding ||
                (finding.endsWith(MARK) && whole.startsWith(finding.slice(0, -MARK.length)))
              : whole === finding;
          const at = answer.findings.findIndex((whole, index) => index >= next && isShown(whole));
          assert.ok(at >= 0);
          next = at + 1;
        }
      }),
    );
  });

  test('a summary gets half of the room if there is more to show, else all of it', () => {
    const alone = fit({ summary: long }, 500);
    assert.equal(jsonBytes(alone), 500);
    const among = fit({ summary: long, findings: [long], open_questions: [long] }, 500);
    const half = Math.floor((500 - jsonBytes(fit({}, 500))) / 2);
    assert.equal(jsonBytes(among.summary) - 2, half);
    assert.equal(among.findings.length, 1);
    assert.deepEqual(among.open_questions, []);
    const few = fit({ summary: long, findings: ['short'] }, 500);
    assert.deepEqual(few.findings, ['short']);
    assert.equal(jsonBytes(few), 500);
  });

  test('an object that does not fit is left out, and its room is used', () => {
    const findings = ['first', { big: long }, 'second'];
    const fitted = fit({ summary: long, findings, open_questions: ['which?'] }, 500);
    assert.deepEqual(fitted.findings, ['first', 'second']);
    assert.deepEqual(fitted.open_questions, ['which?']);
    assert.equal(jsonBytes(fitted), 500);
  });

  test('a text that does not fit ends its list', () => {
    for (const limit of [200, 201, 202, 203]) {
      const findings = ['first', '😀'.repeat(100), ''];
      const fitted = fit({ summary: 's', findings }, limit);
      assert.equal(fitted.findings.length, 2);
      assert.match(String(fitted.findings[1]), /^(😀)+ … \[cut\]$/u);
    }
  });

  test('nothing is shown without room', () => {
    assert.equal(fitAnswer({ answer: long }, 20), undefined);
    assert.equal(fitAnswer({ summary: long, findings: [], open_questions: [] }, 55), undefined);
    assert.equal(fitAnswer({ answer: long }, -100), undefined);
  });
});
