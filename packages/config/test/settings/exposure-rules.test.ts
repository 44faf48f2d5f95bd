import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withExposure } from '../../src/settings/edit-settings.ts';

type Rules = readonly (readonly [string, string | undefined])[];

const lines = (...all: string[]) => all.join('\n');

/** A text, the rules, and the text after them. */
const CASES: Readonly<Record<string, readonly [string, Rules, string]>> = {
  'a new rule comes last': [
    '{ "toolfold": { "exposure": {\n  "a__*": "hidden" // a\n} } }',
    [['b', 'inline']],
    '{ "toolfold": { "exposure": {\n  "a__*": "hidden", // a\n  "b": "inline"\n} } }',
  ],
  'a glob is changed where it stands': [
    '{ "toolfold": { "exposure": { "a__*": "hidden", /* one */ "a__b": "inline" } } }',
    [['a__*', 'deferred']],
    '{ "toolfold": { "exposure": { "a__*": "deferred", /* one */ "a__b": "inline" } } }',
  ],
  'a name is changed behind what would win over it': [
    lines(
      '{ "toolfold": { "exposure": {',
      '  // b',
      '  "a__b": "inline", // why',
      '  "a__*": "hidden"',
      '} } }',
    ),
    [['a__b', 'deferred']],
    lines(
      '{ "toolfold": { "exposure": {',
      '  // b',
      '  // why',
      '  "a__*": "hidden",',
      '  "a__b": "deferred"',
      '} } }',
    ),
  ],
  'the last name is changed where it stands': [
    '{ "toolfold": { "exposure": { "a__*": "hidden", "a__b" : "inline" } } }',
    [['a__b', 'deferred']],
    '{ "toolfold": { "exposure": { "a__*": "hidden", "a__b" : "deferred" } } }',
  ],
  'the first is removed': [
    lines(
      '{ "toolfold": { "exposure": {',
      '  "a": "hidden",',
      '  // of b',
      '  "b": "inline"',
      '} } }',
    ),
    [['a', undefined]],
    lines('{ "toolfold": { "exposure": {', '  // of b', '  "b": "inline"', '} } }'),
  ],
  'the last is removed': [
    lines(
      '{ "toolfold": { "exposure": {',
      '  "a": "hidden", // of a',
      '  "b": "inline"',
      '} }, "x": 1 }',
    ),
    [['b', undefined]],
    lines('{ "toolfold": { "exposure": {', '  "a": "hidden" // of a', '} }, "x": 1 }'),
  ],
  'the only one is removed': [
    '{ "toolfold": { "exposure": { "a": "hidden" }, "x": "y" } }',
    [['a', undefined]],
    '{ "toolfold": { "exposure": { }, "x": "y" } }',
  ],
  'one of a line is removed': [
    '{ "toolfold": { "exposure": { "a": "hidden", "b": "inline", "c": "deferred" } } }',
    [['b', undefined]],
    '{ "toolfold": { "exposure": { "a": "hidden", "c": "deferred" } } }',
  ],
  'a comma at the end stays one': [
    '{ "toolfold": { "exposure": {\r\n\t"a": "hidden",\r\n\t"b": "inline",\r\n} } }',
    [['b', undefined]],
    '{ "toolfold": { "exposure": {\r\n\t"a": "hidden",\r\n} } }',
  ],
  'what is not there is not removed': [
    '{ "toolfold": {} }',
    [['a', undefined]],
    '{ "toolfold": {} }',
  ],
  'an object is made for the first rule': [
    '{}\n',
    [['a', 'hidden']],
    lines(
      '{',
      '  "toolfold": {',
      '    "exposure": {',
      '      "a": "hidden"',
      '    }',
      '  }',
      '}',
      '',
    ),
  ],
  several: [
    '{ "toolfold": { "exposure": { "a*": "hidden", "b": "inline", "c": "hidden" } } }',
    [
      ['b', undefined],
      ['a*', 'inline'],
      ['d', 'hidden'],
      ['c', undefined],
    ],
    '{ "toolfold": { "exposure": { "a*": "inline",\n  "d": "hidden"\n} } }',
  ],
  'no place': ['[1]', [['a', 'hidden']], '[1]'],
};

describe('rules of exposure', () => {
  for (const [name, [text, rules, expected]] of Object.entries(CASES))
    test(name, () => {
      assert.equal(withExposure(text, rules), expected);
    });
});
