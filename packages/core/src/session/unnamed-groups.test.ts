import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { simpleTools } from '../../test/conversation.test-support.ts';
import type { DeferredToolGroup } from '../tool/group.ts';
import { createToolLayer } from './layer.ts';
import type { ToolLayerOptions } from './options.ts';

const unnamed = fakeGroup({ groupId: 'mcp:a', names: false });

function warned(group: DeferredToolGroup, options: ToolLayerOptions = {}): readonly string[] {
  const warnings: string[] = [];
  const layer = createToolLayer({
    ...options,
    groups: [group],
    onWarning: (text) => warnings.push(text),
  });
  layer.update([group, fakeGroup({ groupId: 'mcp:other' })]);
  return warnings;
}

suite('a group without names', () => {
  for (const strategy of ['auto', 'lazy', 'inject', 'dispatch', 'bridge', 'native'] as const) {
    test(`is warned of once, with the remedy, in ${strategy}`, () => {
      const [warning, ...others] = warned(unnamed, { strategy });
      assert.match(warning ?? '', /^group mcp:a has no toolNames: .*give toolNames/);
      assert.deepEqual(others, []);
    });
  }

  test('is not warned of where names cost nothing', () => {
    for (const strategy of [false, 'eager'] as const) {
      assert.deepEqual(warned(unnamed, { strategy }), []);
    }
    for (const exposure of ['inline', 'hidden'] as const) {
      assert.deepEqual(warned({ ...unnamed, exposure }), []);
      assert.deepEqual(warned(unnamed, { exposure: { 'mcp:a': exposure } }), []);
    }
    assert.deepEqual(warned({ ...unnamed, unavailable: { reason: 'down' } }), []);
  });

  test('is none if it has summaries, or says that it has no tools', () => {
    assert.deepEqual(warned({ ...unnamed, toolSummaries: simpleTools('x') }), []);
    assert.deepEqual(warned({ ...unnamed, toolNames: [] }), []);
  });

  test('is warned of when an update brings it', () => {
    const warnings: string[] = [];
    const layer = createToolLayer({ onWarning: (text) => warnings.push(text) });
    layer.update([unnamed]);
    layer.update([unnamed]);
    assert.equal(warnings.length, 1);
  });
});
