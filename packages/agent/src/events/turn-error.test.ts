import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { APICallError } from 'ai';
import { begin, collect, ended } from '../../test/agent.test-support.ts';
import { turnError } from './turn-error.ts';

const refused = (status: number, body = 'invalid x-api-key') => ({ error: { status, body } });

describe('why a turn failed', () => {
  test('a refused key names provider, address and what to do, on every endpoint', async () => {
    for (const endpoint of ENDPOINTS) {
      for (const status of [401, 403]) {
        await using server = await startModelServer({ script: () => refused(status) });
        const { talk } = begin(server, { endpoint });
        const { reason, error } = ended(await collect(talk.send('Go.')));
        assert.equal(reason, 'error');
        assert.ok(error instanceof ToolfoldError && error.code === 'model-refused', String(error));
        const { provider } = endpoint.model(server.baseUrl(endpoint.provider));
        const where = `^The provider ${provider.split('.')[0]} refused .* status ${status} at ${server.baseUrl(endpoint.provider)}/`;
        assert.match(error.message, new RegExp(where));
        assert.match(error.message, /: invalid x-api-key\. Check that the API key/);
        assert.ok(APICallError.isInstance(error.cause));
        await assert.rejects(talk.ask('Why?'), { code: 'model-refused' });
      }
    }
  });

  test('any other failure is the error of the SDK', async () => {
    await using server = await startModelServer({ script: () => refused(400, 'too long') });
    const { talk } = begin(server);
    const { error } = ended(await collect(talk.send('Go.')));
    assert.ok(APICallError.isInstance(error) && error.statusCode === 400);
    assert.equal(error.message, 'too long');
  });

  test('the address is shown without what may be a key', () => {
    const url = 'https://user:sk-secret@example.com/v1/messages?key=sk-secret#sk-secret';
    const call = { message: 'no. ', url, requestBodyValues: {}, statusCode: 403 };
    const model = { provider: 'own.chat', modelId: 'm' };
    const { message } = turnError(new APICallError(call), model, 'Ask.');
    const words =
      'The provider own refused the request for m with status 403 at https://example.com/v1/messages: no. Ask.';
    assert.equal(message, words);
    const odd = turnError(new APICallError({ ...call, url: 'sk-secret', message: '' }), model);
    assert.match(odd.message, /at an address that is not a URL\. Check/);
  });

  test('what is no error becomes one', () => {
    const error = turnError('gone', { provider: 'p', modelId: 'm' });
    assert.ok(error instanceof Error);
    assert.deepEqual([error.message, error.cause], ['gone', 'gone']);
  });
});
