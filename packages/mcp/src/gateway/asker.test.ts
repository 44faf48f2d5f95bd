import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../test/gateway/raw-server.test-support.ts';
import { fixtureEntry, openGateway, StreamClient } from '../../test/gateway/scene.test-support.ts';

test('progress of an answer reaches the server that asked, under its own token, and no other', {
  timeout: 60_000,
}, async (context) => {
  const servers = {
    one: await fixtureEntry(context, 'legacy'),
    two: await fixtureEntry(context, 'legacy'),
  };
  const gateway = openGateway(context, servers, { mode: 'eager' });
  const answer = (_method: string, params: Json = {}): Json => {
    const { progressToken } = params._meta as Json;
    client.notify('notifications/progress', {
      ...{ progressToken, progress: 1, message: params.systemPrompt, odd: { z: 1 } },
    });
    return { content: { type: 'text', text: 'hi' }, model: 'm', role: 'assistant' };
  };
  const capabilities = { sampling: {} };
  const client: StreamClient = new StreamClient(gateway, { era: 'legacy', capabilities, answer });
  context.after(() => client.close());
  await client.begin();
  const told = await Promise.all(
    Object.keys(servers).map(async (systemPrompt) => {
      const params = { systemPrompt, messages: [], maxTokens: 1, _meta: { progressToken: 7 } };
      const questions = { first: { method: 'sampling/createMessage', params } };
      const { result } = await client.call(`${systemPrompt}__ask`, { questions });
      const [{ text }] = (result ?? assert.fail()).content as [{ text: string }];
      return (JSON.parse(text) as { progress: unknown }).progress;
    }),
  );
  const expected = (message: string): Json[] => [
    { progressToken: 7, progress: 1, message, odd: { z: 1 } },
  ];
  assert.deepEqual(told, [expected('one'), expected('two')]);
});
