import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { AgentOptions } from '../src/options/options.ts';
import { createSession, forkSession, memoryStore } from '../src/sessions.ts';
import { begin, collect } from './agent.test-support.ts';

const [anthropic, responses] = ENDPOINTS;

suite('the prompt cache of an agent', () => {
  test('a conversation and its forks have one key, and another conversation has another one', async () => {
    await using server = await startModelServer({ script: () => ({ text: 'Fine.' }) });
    const store = memoryStore();
    const session = await createSession(store);
    const say = async (agent: object, text: string) => {
      const { talk } = begin(server, { endpoint: responses ?? assert.fail(), agent });
      await collect(talk.send(text));
      return server.requests.at(-1)?.body.prompt_cache_key;
    };
    const key = await say({ session }, 'Hi.');
    assert.ok(typeof key === 'string' && key.length > 0);
    assert.equal(await say({ session }, 'And?'), key);
    const fork = await forkSession(session);
    assert.equal(await say({ session: fork }, 'And there?'), key);
    assert.equal(await say({ session: await forkSession(fork) }, 'And further?'), key);
    assert.notEqual(await say({ session: await createSession(store) }, 'Hi.'), key);
    assert.equal(await say({}, 'Without a session.'), undefined);
  });

  test('a model has its own setting, which goes before that of the fold', async () => {
    await using server = await startModelServer({ script: () => ({ text: 'Fine.' }) });
    const sent = async (cache: unknown, models: AgentOptions['models']) => {
      const world = {
        endpoint: anthropic ?? assert.fail(),
        fold: { cache } as never,
        agent: { models },
      };
      await collect(begin(server, world).talk.send('Hi.'));
      return server.requests.at(-1)?.raw ?? '';
    };
    const own = { 'claude-sonnet-4-5': { cache: false } } as const;
    assert.match(await sent('auto', {}), /"cache_control":\{"type":"ephemeral"\}/);
    assert.match(await sent({ ttl: '1h' }, {}), /"ttl":"1h"/);
    assert.doesNotMatch(await sent({ ttl: '1h' }, own), /cache_control/);
    assert.match(await sent(false, { 'claude-sonnet-4-5': { cache: 'auto' } }), /cache_control/);
  });
});
