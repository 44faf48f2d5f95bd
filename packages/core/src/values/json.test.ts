import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { byCodePoint, canonicalJson } from './json.ts';

const letter = fc.constantFrom('a', 'b', 'é', 'ｚ', '😀', '😁', '\u{10ffff}');
const text = fc.array(letter, { maxLength: 6 }).map((letters) => letters.join(''));

suite('JSON', () => {
  test('promise 2: texts are ordered by code point, surrogates being what they stand for', () => {
    const points = (value: string) => Array.from(value, (letter) => letter.codePointAt(0) ?? 0);
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [left, right] = [points(a), points(b)];
        const at = left.findIndex((point, i) => point !== right[i]);
        const expected =
          at < 0
            ? left.length - right.length
            : (left[at] ?? 0) - (right[at] ?? Number.NEGATIVE_INFINITY);
        assert.equal(Math.sign(byCodePoint(a, b)), Math.sign(expected));
      }),
      { numRuns: 2_000 },
    );
  });

  test('values equal as JSON have one canonical text, whatever the order of their keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const reversed = (any: unknown): unknown =>
          Array.isArray(any)
            ? any.map(reversed)
            : typeof any === 'object' && any !== null
              ? Object.fromEntries(
                  Object.entries(any)
                    .reverse()
                    .map(([key, member]) => [key, reversed(member)]),
                )
              : any;
        assert.equal(canonicalJson(reversed(value)), canonicalJson(value));
        assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('texts and numbers are written as `JSON.stringify` writes them', () => {
    const any = fc.anything({ maxDepth: 0 }).filter((value) => typeof value !== 'bigint');
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
    const odd = fc.oneof(fc.string({ unit, maxLength: 8 }), fc.double(), any);
    const isScalar = (value: unknown) => typeof value !== 'object' || value === null;
    fc.assert(
      fc.property(odd.filter(isScalar), fc.string({ unit }), (value, key) => {
        const text = JSON.stringify(value) ?? 'null';
        assert.equal(canonicalJson([value]), `[${text}]`);
        if (value !== undefined)
          assert.equal(canonicalJson({ [key]: value }), `{${JSON.stringify(key)}:${text}}`);
      }),
      { numRuns: 2_000 },
    );
    for (let code = 0; code <= 0xffff; code++) {
      const letter = String.fromCharCode(code);
      assert.equal(canonicalJson(letter), JSON.stringify(letter));
    }
  });

  test('no value is too deep for a canonical text', () => {
    const levels = 100_000;
    const deep = JSON.parse(`${'{"b":['.repeat(levels)}1${'],"a":2}'.repeat(levels)}`);
    assert.equal(canonicalJson(deep), `${'{"a":2,"b":['.repeat(levels)}1${']}'.repeat(levels)}`);
    assert.equal(canonicalJson([undefined, [], {}, { a: undefined }]), '[null,[],{},{}]');
  });
});
