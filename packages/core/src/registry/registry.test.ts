import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { ToolfoldError } from '../errors.ts';
import type { DeferredToolGroup } from '../tool/group.ts';
import { isLegalName } from '../tool/names.ts';
import type { Tool } from '../tool/tool.ts';
import { Registry } from './registry.ts';

const bridges = new Set(['load_tools', 'tool_call']);
const all = (): boolean => true;

function group(groupId: string, toolNames: string[], rest: object = {}): DeferredToolGroup {
  return { groupId, toolNames, loader: async () => toolNames.map(tool), ...rest };
}

function tool(name: string): Tool {
  return { name, inputSchema: { type: 'object' } };
}

function registry(own: readonly string[], groups: readonly DeferredToolGroup[]): Registry {
  return new Registry(own.map(tool), groups, bridges);
}

function hasCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof ToolfoldError && error.code === code;
}

const word = fc.oneof(
  fc.constantFrom('a', 'b', 'a__b', 'b__a', 'load_tools', 'constructor', '__proto__', 'a.b', 'a b'),
  fc.string({ unit: fc.constantFrom('a', '_', '-', '.'), minLength: 1, maxLength: 4 }),
);
const names = fc.uniqueArray(word, { maxLength: 6 });
const groups = fc.uniqueArray(
  fc.record({ id: word, mcp: fc.boolean(), tools: names, extra: names }),
  { selector: ({ id, mcp }) => `${mcp}${id}`, maxLength: 5 },
);

suite('registry', () => {
  test('promise 8: no two tools share a wire name, whatever is listed or revealed', () => {
    const own = fc
      .uniqueArray(word, { maxLength: 4 })
      .map((list) => list.filter((n) => !bridges.has(n)));
    fc.assert(
      fc.property(own, groups, (ownNames, specs) => {
        const list = specs.map(({ id, mcp, tools }) => group(mcp ? `mcp:${id}` : id, tools));
        const made = registry(ownNames, list);
        specs.forEach(({ extra }, i) => {
          made.addLoaded(list[i]?.groupId ?? '', extra.map(tool));
        });
        const entries = [...made.entries()];
        const seen = new Set(entries.map(({ name }) => name));
        assert.equal(seen.size, entries.length);
        const expected = specs.map(({ tools, extra }) => new Set([...tools, ...extra]).size);
        assert.equal(
          entries.length,
          expected.reduce((a, b) => a + b, ownNames.length),
        );
        for (const entry of entries) {
          assert.equal(made.get(entry.name), entry);
          assert.ok(!bridges.has(entry.name));
          if (entry.groupId !== undefined) {
            assert.ok(isLegalName(entry.name), entry.name);
            assert.ok(isLegalName(entry.shown), entry.shown);
          }
        }
      }),
    );
  });

  test('promise 2: names do not depend on the order of registration', () => {
    const orders = groups.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(orders, ([specs, shuffled]) => {
        const namesOf = (list: typeof specs) =>
          [
            ...registry(
              ['own'],
              list.map(({ id, mcp, tools }) => group(mcp ? `mcp:${id}` : id, tools)),
            ).entries(),
          ].map(({ name, groupId, bare }) => [name, groupId, bare]);
        assert.deepEqual(namesOf(shuffled), namesOf(specs));
      }),
    );
  });

  test('promise 7: names do not depend on which group happens to load first', () => {
    const unlisted = ['one', 'two'].map((groupId) => group(groupId, [], { prefix: false }));
    const loadedAs = (order: readonly string[]) => {
      const made = registry([], unlisted);
      for (const groupId of order) made.addLoaded(groupId, [tool('search')]);
      return ['one', 'two'].map((groupId) => made.find(groupId, 'search')?.name);
    };
    assert.deepEqual(loadedAs(['one', 'two']), loadedAs(['two', 'one']));
    assert.deepEqual(loadedAs(['two', 'one']), ['one__search', 'two__search']);
  });

  test('promise 7: a bare name counts where it is the only one visible', () => {
    const made = registry(
      [],
      [group('mcp:github', ['create_issue']), group('mcp:linear', ['create_issue'])],
    );
    assert.equal(made.resolve('create_issue', all).kind, 'ambiguous');
    assert.equal(made.resolve('linear__create_issue', all).kind, 'found');
    assert.equal(made.resolve('mcp:linear/create_issue', all).kind, 'found');
    const resolution = made.resolve('create_issue', (entry) => entry.groupId === 'mcp:linear');
    assert.equal(resolution.kind === 'found' && resolution.entry.name, 'linear__create_issue');
    assert.equal(made.resolve('create_issue', () => false).kind, 'unknown');
  });

  test('a group without a prefix clashes aloud, in whatever order it comes, and takes no name', () => {
    const bare = (name: string) => group('aaa', [name], { prefix: false });
    assert.equal(registry([], [bare('search')]).get('search')?.groupId, 'aaa');
    const clashes: [string[], DeferredToolGroup[]][] = [
      [['search'], [bare('search')]],
      [[], [bare('github__create'), group('mcp:github', ['create'])]],
      [[], [bare('search'), group('bbb', ['search'], { prefix: false })]],
      [[], [bare('load_tools')]],
    ];
    for (const [own, list] of clashes) {
      assert.throws(() => registry(own, list), hasCode('duplicate-tool'));
      assert.throws(() => registry(own, list.reverse()), hasCode('duplicate-tool'));
    }
  });

  test('what the host got wrong is an error with a code', () => {
    const one = group('mcp:a', ['x']);
    assert.throws(() => registry([], [one, { ...one }]), hasCode('duplicate-group'));
    assert.throws(() => registry(['x', 'x'], []), hasCode('duplicate-tool'));
    assert.throws(() => registry(['load_tools'], []), hasCode('reserved-name'));
  });

  test("promise 8: two ids that differ only in mcp: have slugs of their own; an app's tool keeps its name", () => {
    const made = registry(['github__x'], [group('github', ['x']), group('mcp:github', ['x'])]);
    assert.equal(made.get('github__x')?.groupId, undefined);
    const [first, second] = ['github', 'mcp:github'].map((id) => made.find(id, 'x')?.name);
    assert.notEqual(first, second);
    assert.ok(first !== 'github__x' && second !== 'github__x');
  });
});
