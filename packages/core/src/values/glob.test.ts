import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { canonicalName, groupSlug } from '../tool/names.ts';
import { type Addressed, matchesGlob, matchesTool, mayMatchTool } from './glob.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '_'), maxLength: 12 });
const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 10 });

const slashed = fc.string({
  unit: fc.constantFrom('a', 'b', '/', ':'),
  minLength: 1,
  maxLength: 8,
});
const slashedGlob = fc.string({ unit: fc.constantFrom('a', 'b', '/', ':', '*'), maxLength: 10 });

function toolOf(groupId: string, bare: string): Addressed {
  return { name: canonicalName(groupSlug(groupId), bare), bare, groupId };
}

suite('globs', () => {
  test('agree with the regular expression they stand for', () => {
    fc.assert(
      fc.property(pattern, text, (glob, subject) => {
        const source = glob.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.');
        assert.equal(matchesGlob(glob, subject), new RegExp(`^${source}$`).test(subject));
      }),
      { numRuns: 2_000 },
    );
  });

  test('take no exponential time, whatever the pattern', () => {
    // With backtracking over every star this would outlast any patience.
    assert.equal(matchesGlob(`${'*a'.repeat(60)}b`, 'a'.repeat(5_000)), false);
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

  test('a denial holds in any case of letters', () => {
    const tool = toolOf('mcp:s', 'deleteAll');
    for (const glob of ['mcp:s/DELETEALL', 'MCP:S', 's__deleteall', 'mcp:s/delete*', '*ALL']) {
      assert.ok(mayMatchTool(glob, tool), glob);
      assert.ok(!matchesTool(glob, tool) || glob === 'mcp:s/delete*', glob);
    }
  });

  test('promise 22: no server passes for another one by a slash in the name of a tool', () => {
    const posing = toolOf('mcp:acme', 'b/delete_all');
    for (const glob of ['mcp:acme/b', 'mcp:acme/b/*', 'mcp:acme/b/delete_all', 'mcp:*/b/*']) {
      assert.ok(!matchesTool(glob, posing), glob);
      assert.ok(mayMatchTool(glob, posing) || glob === 'mcp:acme/b', glob);
    }
    for (const glob of ['mcp:acme', 'mcp:acme/*', 'mcp:acme/*delete_all', 'mcp:*/b?delete_all']) {
      assert.ok(matchesTool(glob, posing), glob);
    }
    for (const glob of ['mcp:acme/b', 'mcp:acme/b/*', 'mcp:acme/b/delete_*', 'mcp:*/b/*']) {
      assert.ok(matchesTool(glob, toolOf('mcp:acme/b', 'delete_all')), glob);
    }
    // The server's name is somewhere in the tool's name.
    assert.ok(!matchesTool('mcp:*files*/read_*', toolOf('mcp:evil', 'files/read_x')));
  });

  test('promise 22: a glob with the group spelled out names tools of no other group', () => {
    fc.assert(
      fc.property(slashed, slashedGlob, slashed, slashed, (group, tool, groupId, bare) => {
        const glob = `${group}/${tool.replaceAll('/', '')}`;
        const address = toolOf(groupId, bare);
        if (!matchesTool(glob, address)) return;
        const namesGroup = matchesGlob(glob, groupId);
        assert.ok(group === groupId || namesGroup || matchesGlob(glob, address.name));
      }),
      { numRuns: 5_000 },
    );
  });

  test('promise 22: what a glob gives, it can also take away', () => {
    const either = fc.tuple(slashed, slashedGlob).map(([group, tool]) => `${group}/${tool}`);
    fc.assert(
      fc.property(fc.oneof(slashedGlob, either), slashed, slashed, (glob, groupId, bare) => {
        const globs = [glob, `${groupId}/${glob}`, `${glob}/${bare}`];
        const address = toolOf(groupId, bare);
        for (const one of globs.filter((candidate) => matchesTool(candidate, address))) {
          assert.ok(mayMatchTool(one, address), one);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  test('a denial reads a glob at every slash', () => {
    fc.assert(
      fc.property(slashedGlob, slashedGlob, slashed, slashed, (group, tool, groupId, bare) => {
        if (!matchesGlob(group, groupId) || !matchesGlob(tool, bare)) return;
        assert.ok(mayMatchTool(`${group}/${tool}`, toolOf(groupId, bare)));
      }),
      { numRuns: 5_000 },
    );
  });
});
