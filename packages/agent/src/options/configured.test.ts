import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentOptions } from './options.ts';
import { configured, settingsKept, settingsToKeep } from './settings.ts';

const models = { 'local/one': { strategy: 'bridge', contextWindow: 9_000 } } as const;
const given = { model: 'local/one', models } as unknown as AgentOptions;

test('a chosen strategy applies to the model that is used, and to no other', () => {
  assert.deepEqual(configured(given, { model: 'local/two' }).models, models);
  const { models: chosen } = configured(given, { model: 'local/two', strategy: 'lazy' });
  assert.deepEqual(chosen, { ...models, 'local/two': { strategy: 'lazy' } });
  const { models: own } = configured(given, { strategy: 'lazy' });
  assert.deepEqual(own, { 'local/one': { strategy: 'lazy', contextWindow: 9_000 } });
});

test('a session keeps a strategy; what the app gives for the model goes before it', () => {
  const { models: _, ...plain } = given;
  const kept = settingsToKeep(configured(plain, { role: 'reader', strategy: 'lazy' }));
  assert.deepEqual(kept, { model: 'local/one', role: 'reader', strategy: 'lazy' });
  const strategies = [plain, given, { ...plain, model: 'local/two' }].map(
    (options) => settingsKept(options, kept).strategy,
  );
  assert.deepEqual(strategies, ['lazy', undefined, 'lazy']);
  assert.equal(settingsKept(plain, kept).role, 'reader');
});
