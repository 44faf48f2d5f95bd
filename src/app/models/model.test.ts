import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelLoader } from './model.ts';

test('the base URL applies to one provider only', async () => {
  const baseUrl = 'http://127.0.0.1:9/v1';
  const load = modelLoader({ name: 'local/boss', baseUrl, env: { ACME_API_KEY: 'key-of-acme' } });
  assert.equal((await load('local/other/model')).key, undefined);
  await assert.rejects(load('acme/small'), { code: 'invalid-option', message: /address of acme/ });
});
