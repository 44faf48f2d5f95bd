// test: slow
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Revision, runSuite } from './suite.ts';
import { judge } from './verdict.ts';

const scenarios: readonly (readonly [Revision, string])[] = [
  ['2025-11-25', 'elicitation-sep1034-client-defaults'],
  ['2026-07-28', 'auth/metadata-default'],
];

for (const [revision, scenario] of scenarios) {
  test(`${scenario} at ${revision}`, { timeout: 120_000 }, async () => {
    const [result, ...others] = await runSuite(revision, scenario);
    assert.ok(result !== undefined && others.length === 0);
    const { isPassed, faults } = judge(result);
    assert.ok(isPassed, faults.join('\n'));
  });
}

test('a warning, a failure and another end are faults', () => {
  const success = { id: 'a', status: 'SUCCESS', description: 'right' };
  const scenario = 'tools_call';
  for (const [checks, end, expected] of [
    [[success], 'completed', []],
    [[success], 'no such tool', ['the client ended with: no such tool']],
    [[success], '', ['the client ended with: nothing']],
    [[success, { ...success, status: 'WARNING' }], 'completed', ['warning a: right']],
    [[{ ...success, status: 'FAILURE', errorMessage: 'wrong' }], 'completed', ['failure a: wrong']],
  ] as const) {
    const { isPassed, faults } = judge({ scenario, checks, end });
    assert.deepEqual(faults, expected);
    assert.equal(isPassed, expected.length === 0);
  }
  assert.ok(!judge({ scenario, checks: [], end: 'completed' }).isPassed);
});
