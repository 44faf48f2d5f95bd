import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { createSession, memoryStore, openSession, type SessionStore } from '../../src/sessions.ts';
import { assertHeld, begin, collect, ended } from '../agent.test-support.ts';
import { type Done, effectGroup } from './session-talk.test-support.ts';

/** What a store says that no model should read. */
const SECRET = '/home/ann/sessions.db';

/** A store that fails or waits where an entry of a kind is appended, as long as `isBad` says so. */
function badAt(store: SessionStore, kind: string, isBad: () => boolean | Promise<boolean>) {
  return {
    ...store,
    retryTimeout: 0,
    append: async (...given: Parameters<SessionStore['append']>) => {
      if (given[0].some((entry) => entry.kind === kind) && (await isBad()))
        throw new ToolfoldError('session-unavailable', `${SECRET} is locked.`, 'Try again.');
      return store.append(...given);
    },
  };
}

/** An agent whose model sends one letter and then ends, and what its tool has done. */
async function scene(context: TestContext, store: SessionStore) {
  const server = await startModelServer({
    script: ({ raw }) =>
      /"done|interrupted/.test(raw)
        ? { text: 'Sent.' }
        : { calls: [DISPATCH.call('work__send', { n: 1 })] },
  });
  context.after(() => server.close());
  const done: Done = [];
  const session = await createSession(store, { id: 's' });
  const fold = { strategy: 'dispatch', groups: [effectGroup(done)], tools: {} } as never;
  const { talk } = begin(server, { fold, agent: { session } });
  return { server, done, talk };
}

async function kinds(store: SessionStore, kind: string): Promise<number> {
  return (await store.read('s')).filter((entry) => entry.kind === kind).length;
}

describe('a result that cannot be written', () => {
  test('ends the turn, is no error for the model, and is written before the next turn', async (context) => {
    const kept = memoryStore();
    let isBad = true;
    const { server, done, talk } = await scene(
      context,
      badAt(kept, 'result', () => isBad),
    );
    const end = ended(await collect(talk.send('Go.')));
    assert.equal(end.code, 'session-unavailable');
    assert.equal(server.requests.length, 1);
    assert.deepEqual(await talk.unknown(), []);
    // It cannot be written yet, so no turn begins.
    assert.equal(ended(await collect(talk.resume())).code, 'session-unavailable');
    assert.equal(server.requests.length, 1);
    isBad = false;
    assert.equal(ended(await collect(talk.resume())).reason, 'done');
    assert.deepEqual(done, ['send:1']);
    assert.equal(await kinds(kept, 'result'), 1);
    for (const { raw } of server.requests) assert.ok(!raw.includes(SECRET));
    assertHeld(server);
  });

  test('is unknown if another process has gone on without it', async (context) => {
    const kept = memoryStore();
    let isBad = true;
    const { done, talk } = await scene(
      context,
      badAt(kept, 'result', () => isBad),
    );
    await collect(talk.send('Go.'));
    isBad = false;
    const other = await openSession(kept, 's');
    await other.begin({ onMessage: () => {}, onLost: assert.fail as () => void });
    await other.append([{ kind: 'label', body: { text: 'mine' } }]);
    await other.end();
    const text: string[] = [];
    for await (const event of talk.resume({ unknown: {} }))
      if (event.type === 'failure') text.push(event.error);
    assert.deepEqual(done, ['send:1']);
    assert.match(text.join(), /outcome is unknown/);
  });

  test('is unknown if the lease was lost', async (context) => {
    const kept = memoryStore();
    const take = async () => {
      const owner = (await kept.holder('s')) ?? assert.fail();
      await kept.release({ session: 's', fence: 1, owner });
      return false;
    };
    const { done, talk } = await scene(context, badAt(kept, 'result', take));
    assert.equal(ended(await collect(talk.send('Go.'))).code, 'session-lost');
    assert.deepEqual(done, ['send:1']);
    const names = (await talk.unknown()).map(({ name }) => name);
    assert.deepEqual(names, ['work__send']);
  });
});

test('a tool whose start cannot be written does not run, and the model does not read why', async (context) => {
  const kept = memoryStore();
  let isBad = true;
  const { server, done, talk } = await scene(
    context,
    badAt(kept, 'start', () => isBad),
  );
  assert.equal(ended(await collect(talk.send('Go.'))).code, 'session-unavailable');
  assert.deepEqual(done, []);
  assert.ok(!JSON.stringify(talk.messages).includes(SECRET));
  isBad = false;
  assert.equal(ended(await collect(talk.resume())).reason, 'done');
  assert.deepEqual(done, ['send:1']);
  for (const { raw } of server.requests) assert.ok(!raw.includes(SECRET));
});

test('a cancelled turn ends while its result is written; the next turn waits for it', async (context) => {
  const kept = memoryStore();
  const waiting = Promise.withResolvers<void>();
  const free = Promise.withResolvers<boolean>();
  const store = badAt(kept, 'result', () => {
    waiting.resolve();
    return free.promise;
  });
  const { server, done, talk } = await scene(context, store);
  const cancel = new AbortController();
  void waiting.promise.then(() => cancel.abort());
  const events = await collect(talk.send('Go.', { signal: cancel.signal }));
  assert.equal(ended(events).reason, 'cancelled');
  assert.ok(
    events.some((event) => event.type === 'warning' && /cannot be written/.test(event.text)),
  );
  // The lease is kept as long as there is something to write.
  assert.ok(await kept.holder('s'));
  const next = collect(talk.send('And?'));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(server.requests.length, 1);
  free.resolve(false);
  assert.equal(ended(await next).reason, 'done');
  assert.deepEqual(done, ['send:1']);
  assert.equal(await kinds(kept, 'result'), 1);
  assertHeld(server);
});
