import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { matches, matchesTool } from './glob.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '_'), maxLength: 12 });
const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 10 });

suite('globs', () => {
  test('agree with the regular expression they stand for', () => {
    fc.assert(
      fc.property(pattern, text, (glob, subject) => {
        const source = glob.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.');
        assert.equal(matches(glob, subject), new RegExp(`^${source}$`).test(subject));
      }),
      { numRuns: 2_000 },
    );
  });

  test('take no exponential time, whatever the pattern', () => {
    // With backtracking over every star this would outlast any patience.
    assert.equal(matches(`${'*a'.repeat(60)}b`, 'a'.repeat(5_000)), false);
  });

  test('a bare name never matches the tool of a group', () => {
    const tool = { name: 'github__create_issue', bare: 'create_issue', groupId: 'mcp:github' };
    for (const yes of [
      'github__create_issue',
      'github__*',
      'mcp:github',
      'mcp:*',
      'mcp:github/create_*',
      '*',
    ]) {
      assert.ok(matchesTool(yes, tool), yes);
    }
    for (const no of ['create_issue', 'create_*', 'github', 'mcp:git', 'mcp:github/delete_*', '']) {
      assert.ok(!matchesTool(no, tool), no);
    }
    assert.ok(
      matchesTool('create_*', { name: 'create_issue', bare: 'create_issue', groupId: undefined }),
    );
  });
});
