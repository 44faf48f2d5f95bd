import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFold, type LiveGroups, type SdkToolGroup } from '../../src/index.ts';

class Source implements LiveGroups {
  readonly listeners = new Set<() => void>();
  groups: readonly SdkToolGroup[] = [group('a')];

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  change(groups: readonly SdkToolGroup[]): void {
    this.groups = groups;
    for (const listener of this.listeners) listener();
  }
}

function group(name: string): SdkToolGroup {
  return { groupId: `mcp:${name}`, toolNames: [`do_${name}`], loader: async () => [] };
}

test('a fold follows groups that change', () => {
  const source = new Source();
  const fold = createFold({ groups: source });
  const names = (): string[] => fold.layer.known().tools.map(({ name }) => name);
  assert.deepEqual(names(), ['a__do_a']);
  source.change([group('b'), group('c')]);
  assert.deepEqual(names(), ['b__do_b', 'c__do_c']);
  assert.equal(source.listeners.size, 1);
});

test('what is neither a list nor such groups is refused', () => {
  for (const odd of [{}, { groups: [] }, { groups: 1, onChange: () => {} }]) {
    assert.throws(() => createFold({ groups: odd as never }), { code: 'invalid-option' });
  }
});
