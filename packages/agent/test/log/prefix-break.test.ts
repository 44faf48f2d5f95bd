import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Segment } from '@toolfold/ai-sdk';
import { prefixBreak } from '../../src/log/request-log.ts';

/** Segments from words such as `t1 s1 m1 m2`: the kind, then the content. */
const segments = (text: string): Segment[] =>
  text
    .split(' ')
    .filter((word) => word !== '')
    .map((hash) => ({
      kind: hash.startsWith('t') ? 'tools' : hash.startsWith('s') ? 'system' : 'message',
      label: 'history',
      tokens: 1,
      hash,
    }));

const CASES = [
  ['', '', undefined],
  ['', 't1 m1', undefined],
  ['t1 s1 m1', 't1 s1 m1', undefined],
  ['t1 s1 m1', 't1 s1 m1 m2 m3', undefined],
  ['t1 s1 m1', 't2 s1 m1 m2', { index: 0, kind: 'tools' }],
  ['t1 s1 m1', 't1 s2 m1 m2', { index: 1, kind: 'system' }],
  ['t1 s1 m1 m2', 't1 s1 m1 m3 m4', { index: 3, kind: 'message' }],
  ['t1 s1 m1 m2', 't1 s1 m1', { index: 3, kind: 'message' }],
  ['t1 s1 m1', 's1 m1', { index: 0, kind: 'tools' }],
  ['s1 m1', 't1 s1 m1', { index: 0, kind: 'system' }],
  ['t1 s1', '', { index: 0, kind: 'tools' }],
] as const;

describe('the first segment that differs', () => {
  for (const [before, after, expected] of CASES)
    test(`"${before}" and then "${after}"`, () => {
      assert.deepEqual(prefixBreak(segments(before), segments(after)), expected);
    });
});
