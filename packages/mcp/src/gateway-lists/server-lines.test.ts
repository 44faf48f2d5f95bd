import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogGroup } from '@toolfold/core/internal/request/catalog.ts';
import { type CatalogStrategy, serverLines } from './view.ts';

const group = (given: Partial<CatalogGroup>): CatalogGroup => ({
  groupId: 'mcp:git',
  displayName: 'Git',
  description: undefined,
  tools: ['add', 'log', 'show'].map((name) => ({ name, description: `Does ${name}.` })),
  listed: true,
  unavailable: undefined,
  ...given,
});

const NAMES = { hints: false, about: 120, names: Number.POSITIVE_INFINITY };

const cases: readonly (readonly [CatalogStrategy, Partial<CatalogGroup>, object, string])[] = [
  ['bridge', {}, {}, 'git__ (3): add log show'],
  ['dispatch', {}, {}, 'mcp:git (3): add log show'],
  ['bridge', {}, { names: 2 }, 'git__ (3): add log … (+1 more)'],
  ['bridge', {}, { names: 0 }, 'git__ (3)'],
  ['bridge', { tools: [] }, {}, 'git__ (0)'],
  ['bridge', { description: 'Keeps\nversions.' }, {}, 'git__ (3) "Keeps versions.": add log show'],
  ['bridge', { description: 'Keeps versions.' }, { about: 0 }, 'git__ (3): add log show'],
  ['bridge', { listed: false, tools: [] }, {}, 'git__ (names come with loading)'],
  [
    'bridge',
    { tools: [], unavailable: { reason: 'it is down', remedy: 'Start it.' } },
    {},
    'git__ (unavailable: it is down; Start it.)',
  ],
  [
    'bridge',
    {},
    { hints: true },
    'git__ (3):\n  add: Does add\n  log: Does log\n  show: Does show',
  ],
];

test('a server is one line: the start of the names, their number, and the rest of each', () => {
  for (const [strategy, given, detail, expected] of cases)
    assert.equal(serverLines(strategy)(group(given), { ...NAMES, ...detail }), expected);
});
