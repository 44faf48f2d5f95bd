import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundsFor } from '../loop/rounds.ts';
import { identify, modelName, settingsOf } from './settings.ts';

test('settings under both names of a model are merged, and the full name wins', () => {
  const model = { provider: 'anthropic.messages', modelId: 'x' };
  const price = { input: 1, output: 5 };
  const models = { 'anthropic/x': { price }, x: { maxRounds: 9, price: { input: 2, output: 2 } } };
  assert.deepEqual(settingsOf(models, model), { maxRounds: 9, price });
  assert.deepEqual(settingsOf(models, { provider: 'openai.chat', modelId: 'y' }), {});
  assert.deepEqual(settingsOf({}, { provider: 'p', modelId: 'constructor' }), {});
  const fold = { roles: { brief: { maxRounds: 2 } } };
  assert.equal(roundsFor({ maxRounds: 3, fold, role: 'brief' } as never, model), 2);
  assert.equal(roundsFor({ maxRounds: 3, fold, role: 'toString' } as never, model), 3);
  const undone = { x: { price }, 'anthropic/x': { price: undefined } };
  assert.deepEqual(settingsOf(undone, model), { price });
  assert.equal(roundsFor({ models, maxRounds: 3, fold } as never, model), 9);
  assert.equal(roundsFor({ maxRounds: 3, fold } as never, model), 3);
});

test('a model given by its id has the same name as the object', () => {
  assert.equal(modelName(identify('anthropic/claude-x')), 'anthropic/claude-x');
  const object = { provider: 'anthropic.messages', modelId: 'claude-x' };
  assert.equal(modelName(identify(object as never)), 'anthropic/claude-x');
});
