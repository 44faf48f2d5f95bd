import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { measure } from '../estimate.ts';
import { createToolLayer } from '../session/layer.ts';
import { isTooDeep, MAX_NESTING, measureNesting } from './json.ts';

const nested = (levels: number): unknown =>
  JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

test('depth and size are told without recursion, and no further than asked', () => {
  assert.deepEqual(measureNesting({ a: ['bc', {}] }, 10, 1000), {
    depth: 3,
    size: 4 + 5 + 4 + 6 + 4,
  });
  assert.equal(measureNesting(5, 10, 1000).depth, 0);
  assert.equal(measureNesting(nested(100_000), 50, 1e9).depth, 51);
  assert.ok(measureNesting('x'.repeat(5000), 5, 100).size > 100);
  assert.equal(isTooDeep(nested(MAX_NESTING)), false);
  assert.equal(isTooDeep(nested(MAX_NESTING + 1)), true);
});

test('a loaded tool whose schema is too deep is left out with a warning that names it', async () => {
  const warnings: string[] = [];
  const tools = [
    { name: 'deep', inputSchema: nested(3000) as object },
    { name: 'fine', inputSchema: { type: 'object' } },
  ];
  const layer = createToolLayer({
    groups: [fakeGroup({ groupId: 'deep', tools: tools as never })],
    onWarning: (text) => warnings.push(text),
  });
  const { groups } = await measure(layer);
  assert.equal(groups[0]?.unavailable, undefined);
  assert.match(warnings.join('\n'), /nested more than 200 levels deep \("deep"\); it is left out/);
});
