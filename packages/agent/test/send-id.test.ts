import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { createSession, memoryStore, openSession } from '../src/sessions.ts';
import { begin, collect, ended } from './agent.test-support.ts';

const script = () => ({ text: 'Ok.' });

describe('a message with an id', () => {
  for (const isKept of [true, false])
    test(`is sent once by one agent, ${isKept ? 'with' : 'without'} a session`, async () => {
      await using server = await startModelServer({ script });
      const session = isKept ? await createSession(memoryStore(), { id: 's' }) : undefined;
      const { talk } = begin(server, { agent: { session } });
      assert.equal(ended(await collect(talk.send('One.', { id: 'a' }))).reason, 'done');
      const before = talk.messages;
      assert.deepEqual(await collect(talk.send('One.', { id: 'a' })), []);
      assert.deepEqual(await collect(talk.send('Another text.', { id: 'a' })), []);
      assert.equal(server.requests.length, 1);
      assert.equal(talk.messages, before);
      for (const options of [{ id: 'b' }, {}, {}]) await collect(talk.send('One.', options));
      assert.equal(server.requests.length, 4);
    });

  test('is not sent again while its turn runs', async () => {
    await using server = await startModelServer({ script });
    const { talk } = begin(server);
    for await (const event of talk.send('One.', { id: 'a' })) {
      if (event.type !== 'start') continue;
      assert.deepEqual(await collect(talk.send('One.', { id: 'a' })), []);
      assert.throws(() => talk.send('Two.', { id: 'b' }), /still running/);
    }
    assert.equal(server.requests.length, 1);
  });

  test('is known in a later process, and in one that had opened the session before', async () => {
    await using server = await startModelServer({ script });
    const store = memoryStore();
    const first = begin(server, { agent: { session: await createSession(store, { id: 's' }) } });
    const other = begin(server, { agent: { session: await openSession(store, 's') } });
    await collect(first.talk.send('One.', { id: 'a' }));
    const later = begin(server, { agent: { session: await openSession(store, 's') } });
    for (const { talk } of [other, later]) {
      assert.deepEqual(await collect(talk.send('One.', { id: 'a' })), []);
      assert.equal(talk.messages.length, first.talk.messages.length);
    }
    assert.equal(server.requests.length, 1);
    const events = await collect(other.talk.send('Two.', { id: 'b' }));
    assert.equal(ended(events).reason, 'done');
    assert.deepEqual(await collect(first.talk.send('Two.', { id: 'b' })), []);
    const { entries } = await openSession(store, 's');
    const users = entries.filter(({ kind }) => kind === 'user');
    assert.deepEqual(
      users.map(({ body }) => Reflect.get(Object(body), 'id')),
      ['a', 'b'],
    );
    assert.equal(entries.filter(({ kind }) => kind === 'turn').length, 2);
  });

  test('that was cut short is continued, not repeated', async () => {
    await using server = await startModelServer({
      script: [{ error: { status: 400, body: 'No.' } }, { text: 'Ok.' }],
    });
    const { talk } = begin(server);
    assert.equal(ended(await collect(talk.send('One.', { id: 'a' }))).reason, 'error');
    assert.deepEqual(await collect(talk.send('One.', { id: 'a' })), []);
    assert.equal(ended(await collect(talk.resume())).reason, 'done');
    assert.equal(talk.messages.filter(({ role }) => role === 'user').length, 1);
  });

  test('has an id of 1 to 200 characters', async () => {
    await using server = await startModelServer({ script });
    const { talk } = begin(server);
    for (const id of ['', 'x'.repeat(201), 5, null, {}])
      assert.throws(() => talk.send('One.', { id: id as string }), { code: 'invalid-option' });
    await collect(talk.send('One.', { id: 'x'.repeat(200) }));
    assert.equal(server.requests.length, 1);
  });
});
