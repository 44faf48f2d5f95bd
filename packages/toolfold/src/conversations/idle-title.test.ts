import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createSession, type Session } from '@toolfold/agent/internal/sessions/session.ts';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { IdleTitle } from './idle-title.ts';

const WORDS = 'Why does the build of the web app fail since Monday?';

async function scene(reply: Reply) {
  const server = await startModelServer({ script: () => reply });
  const model = createAnthropic({ apiKey: 'none', baseURL: server.baseUrl('anthropic') })('m');
  const store = memoryStore();
  const { id } = await createSession(store, { title: WORDS });
  const entries = [
    { kind: 'user', body: { message: { role: 'user', content: WORDS } } },
  ] as unknown as Session['entries'];
  const session = { id, store, entries };
  return { server, model, store, session, [Symbol.asyncDispose]: () => server.close() };
}

const titleOf = async ({ store, id }: Pick<Session, 'store' | 'id'>) =>
  (await store.get(id))?.title;

describe('a title made between turns', () => {
  test('replaces the first words, in one bounded request outside the conversation', async () => {
    await using at = await scene({ text: '"Build of the web app\u001b[31m fails" sk-1' });
    const hide = (text: string) => text.replace('sk-1', '…');
    const price = () => ({ input: 1e6, output: 1e6 });
    const titles = new IdleTitle({ load: async () => at.model, price, hide, pause: 0 });
    await titles.begin(at.session);
    const { requests, input, output, cost, unpriced } = titles.spentIn(at.session.id);
    assert.deepEqual([requests, cost, unpriced], [1, input + output, 0]);
    assert.ok(input > 0 && output > 0);
    assert.equal(titles.spentIn('other').requests, 0);
    assert.match((await titleOf(at.session)) ?? '', /^Build of the web app.* fails …$/);
    assert.doesNotMatch((await titleOf(at.session)) ?? '', /"/);
    assert.equal((await at.store.read(at.session.id)).length, 0);
    const { raw = '' } = at.server.requests[0] ?? {};
    assert.match(raw, /"max_tokens":300/);
    assert.doesNotMatch(raw, /"tools"/);
    await titles.begin(at.session);
    assert.equal(at.server.requests.length, 1, 'a title that was made stays');
  });

  test('leaves the first words where the model fails or says nothing', async () => {
    for (const reply of [{ text: ' ' }, { error: { status: 500, body: 'no' } }]) {
      await using at = await scene(reply);
      await new IdleTitle({ load: async () => at.model, hide: String, pause: 0 }).begin(at.session);
      assert.equal(await titleOf(at.session), WORDS);
    }
    await using at = await scene({ text: 'x' });
    const load = () => Promise.reject(new Error('no key'));
    await new IdleTitle({ load, hide: String, pause: 0 }).begin(at.session);
    assert.equal(await titleOf(at.session), WORDS);
  });

  test('leaves a title that somebody gives meanwhile', async () => {
    await using at = await scene({ text: 'Made' });
    const load = async () => {
      await at.store.rename(at.session.id, 'Given');
      return at.model;
    };
    await new IdleTitle({ load, hide: String, pause: 0 }).begin(at.session);
    assert.equal(await titleOf(at.session), 'Given');
  });

  test('is cancelled by a turn and by the end, before and during its request', async () => {
    await using at = await scene({ hold: new Promise(() => {}) });
    const early = new IdleTitle({ load: async () => at.model, hide: String });
    const waiting = early.begin(at.session);
    early.stop();
    await waiting;
    assert.equal(at.server.requests.length, 0);
    const loading = new EventTarget();
    const load = async () => {
      setImmediate(() => loading.dispatchEvent(new Event('loaded')));
      return at.model;
    };
    const late = new IdleTitle({ load, hide: String, pause: 0 });
    const making = late.begin(at.session);
    await once(loading, 'loaded');
    late.stop();
    await making;
    assert.equal(await titleOf(at.session), WORDS);
  });
});
