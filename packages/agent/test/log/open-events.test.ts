import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { AgentEvent } from '../../src/events/events.ts';
import { openEvents } from '../../src/log/received-answer.ts';
import { memoryStore, type SessionStore } from '../../src/sessions.ts';
import { collect, ended } from '../agent.test-support.ts';
import { agentIn, effectGroup } from './session-talk.test-support.ts';

const limited = { timeout: 20_000 };
const FOLD = { fold: { strategy: 'dispatch' as const, groups: [effectGroup([])] } };

/** What another process sees, asked again until that is so. */
async function seen(
  store: SessionStore,
  isSo: (events: readonly AgentEvent[]) => boolean,
): Promise<readonly AgentEvent[]> {
  for (;;) {
    const events = await openEvents(store, 's', await store.read('s'));
    if (isSo(events)) return events;
    await new Promise(setImmediate);
  }
}

describe('what another process sees of an answer that is received', () => {
  test('the text so far, until its entry is written; it is in no entry', limited, async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const pace = (sent: number) => (sent < 8 ? undefined : promise);
    await using server = await startModelServer({
      script: [{ reasoning: 'Let me see.', text: 'Hello, Ada.', chunkSize: 6, pace }],
    });
    const store = memoryStore();
    const agent = await agentIn(store, server, FOLD);
    const turn = collect(agent.send('Hi.'));
    const events = await seen(store, (found) => found.length === 2);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['reasoning', 'text'],
    );
    const [, text] = events;
    assert.ok(text?.type === 'text' && 'Hello, Ada.'.startsWith(text.text));
    assert.ok(!(await store.read('s')).some(({ kind }) => kind === 'model'));
    resolve();
    assert.equal(ended(await turn).text, 'Hello, Ada.');
    assert.deepEqual(await openEvents(store, 's', await store.read('s')), []);
  });

  test('nothing is shown while nobody watches', limited, async () => {
    const { promise: hold, resolve } = Promise.withResolvers<void>();
    await using server = await startModelServer({ script: [{ text: 'Hello.', hold }] });
    const store = memoryStore();
    let looks = 0;
    const { look } = store;
    store.look = async (lease) => {
      looks += 1;
      if (looks === 3) resolve();
      return look(lease);
    };
    store.show = assert.fail;
    const agent = await agentIn(store, server, FOLD);
    assert.equal(ended(await collect(agent.send('Hi.'))).reason, 'done');
    assert.ok(looks >= 3);
  });

  test('of a long text its end', limited, async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const long = `${'word '.repeat(10_000)}end`;
    const pace = (sent: number) => (sent < 40 ? undefined : promise);
    await using server = await startModelServer({
      script: [{ text: long, chunkSize: 1_000, pace }],
    });
    const store = memoryStore();
    const agent = await agentIn(store, server, FOLD);
    const turn = collect(agent.send('Hi.'));
    const [event] = await seen(
      store,
      ([first]) => first?.type === 'text' && first.text.length === 20_000,
    );
    assert.ok(event?.type === 'text' && long.includes(event.text));
    resolve();
    await turn;
  });

  test('what a later entry holds is not shown behind it', async () => {
    const store = memoryStore();
    await store.create({ id: 's', createdAt: 1 });
    const at = (kind: string, seq: number) => ({
      ...{ id: `${seq}`, parent: null, seq, kind, body: {}, at: 1 },
    });
    const shown = async (draft: object | undefined, ...entries: ReturnType<typeof at>[]) => {
      store.watch = async () => draft as never;
      return (await openEvents(store, 's', entries)).length;
    };
    const draft = { after: 5, text: 'Hel', reasoning: '' };
    assert.equal(await shown(draft, at('model', 5)), 1);
    assert.equal(await shown(draft, at('event', 6)), 1);
    for (const kind of ['model', 'interrupted', 'turn'])
      assert.equal(await shown(draft, at(kind, 6)), 0);
    for (const wrong of [undefined, {}, { after: '5', text: 'a' }, { after: 5, text: {} }])
      assert.equal(await shown(wrong), 0);
  });
});
