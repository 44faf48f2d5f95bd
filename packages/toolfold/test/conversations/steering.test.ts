// test: slow
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { newOwner } from '@toolfold/agent/internal/sessions/lease.ts';
import { createSession } from '@toolfold/agent/internal/sessions/session.ts';
import type { SessionStore } from '@toolfold/agent/internal/sessions/store.ts';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { dying, free } from '@toolfold/agent/test/log/dying-store.test-support.ts';
import { until as untilSo } from '@toolfold/agent/test/subagents/until.test-support.ts';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { createAsker } from '../../src/questions/asker.ts';
import type { WaitingMessage, WaitingMessages } from '../../src/stored-sessions/open-store.ts';
import { isIdle, said, talkOn } from './conversation.test-support.ts';

const limited = { timeout: 60_000 };
const CALLS = [DISPATCH.call('github__create_issue', { title: 'x' })];

/** Messages of the user in the session, in order. */
async function saidIn(store: SessionStore): Promise<unknown[]> {
  const entries = await store.read('s');
  return entries.flatMap(({ kind, body }) =>
    kind === 'user' ? [Reflect.get(Reflect.get(body, 'message') as object, 'content')] : [],
  );
}

/** What waits in the inbox of the session when nobody holds it. */
async function inboxOf(store: SessionStore): Promise<readonly string[]> {
  const lease = await store.acquire('s', newOwner());
  const { messages } = await store.look(lease);
  await store.release(lease);
  return messages.map(({ id }) => id);
}

/** How often each of these texts is said in the last request. */
const timesIn = ({ requests }: ModelServer, ...texts: readonly string[]): number[] =>
  texts.map((text) => (requests.at(-1)?.raw.split(`"${text}"`).length ?? 0) - 1);

interface Scene {
  readonly script: readonly Reply[];
  /** The store of the chat that follows. */
  readonly here?: SessionStore;
  /** The store of the process that runs the turn. */
  readonly there?: SessionStore;
  readonly waiting?: WaitingMessages;
}

/** A chat that follows a turn whose request is open, in which the model calls a tool. */
async function following(context: TestContext, store: SessionStore, scene: Scene) {
  const gate = Promise.withResolvers<void>();
  const script = [{ text: 'Zero.' }, { calls: CALLS, hold: gate.promise }, ...scene.script];
  const server = await startModelServer({ script });
  context.after(() => server.close());
  const other = talkOn(server, scene.there ?? store, { id: 's' });
  await other.talk.send('a');
  const { waiting } = scene;
  const chat = talkOn(server, scene.here ?? store, waiting ? { waiting } : {});
  context.after(() => Promise.all([chat.talk.close(), other.talk.close()]));
  await chat.talk.open('s');
  const turn = other.talk.send('b');
  await chat.until(() => chat.talk.state === 'elsewhere');
  return { ...chat, server, other, turn, go: gate.resolve };
}

describe('a chat that follows a turn of another process', () => {
  test('gives it what the user writes, in order; what is for later waits', limited, async (t) => {
    const store = memoryStore();
    const script: Reply[] = [{ calls: CALLS }, { text: 'One.' }, { text: 'Two.' }];
    const { talk, until, errors, server, turn, go } = await following(t, store, { script });
    for (const text of ['n1', 'n2']) {
      talk.say(text);
      talk.say(`later ${text}`, { when: 'after' });
    }
    assert.deepEqual(talk.queue, ['n1', 'later n1', 'n2', 'later n2']);
    // What the other turn is given cannot be taken back any more.
    await until(() => talk.queue.length > 0);
    go();
    assert.equal((await turn).reason, 'done');
    const heard = server.requests.findIndex(({ raw }) => raw.includes('"n1"'));
    assert.equal(heard, 2);
    assert.match(server.requests[2]?.raw ?? '', /"n1".*"n2"/s);
    await until(isIdle(talk));
    assert.deepEqual(await saidIn(store), ['a', 'b', 'n1', 'n2', 'later n1', 'later n2']);
    assert.deepEqual(timesIn(server, 'n1', 'n2', 'later n1', 'later n2'), [1, 1, 1, 1]);
    assert.deepEqual([errors, await inboxOf(store)], [[], []]);
  });

  test('sends it in a turn of its own if that turn ends before', limited, async (t) => {
    const store = memoryStore();
    // It never finds what is posted.
    const there = {
      ...store,
      look: async (lease: Parameters<typeof store.look>[0]) => ({
        ...(await store.look(lease)),
        messages: [],
      }),
    };
    const script: Reply[] = [
      { text: 'One.' },
      { text: 'Mine.' },
      { text: 'Also.' },
      { text: 'So.' },
    ];
    const scene = { script, there };
    const { talk, until, errors, server, turn, go } = await following(t, store, scene);
    for (const text of ['mine', 'also mine']) talk.say(text);
    assert.deepEqual(talk.unqueue(), ['also mine']);
    talk.say('also mine');
    go();
    await turn;
    await until(isIdle(talk));
    assert.deepEqual(await saidIn(store), ['a', 'b', 'mine', 'also mine']);
    assert.deepEqual(timesIn(server, 'mine', 'also mine'), [1, 1]);
    await talk.send('More.');
    assert.deepEqual(timesIn(server, 'mine', 'also mine', 'More.'), [1, 1, 1]);
    assert.deepEqual([errors, await inboxOf(store)], [[], []]);
  });

  for (const point of ['before', 'after'] as const)
    test(`says it once where that process is killed ${point} its entry`, limited, async (t) => {
      const store = memoryStore();
      let isOver = false;
      const there = dying(store, () => isOver);
      const { append } = there;
      there.append = async (entries, options) => {
        const isIt = entries.some(({ body }) => JSON.stringify(body).includes('"mine"'));
        if (point === 'before') isOver ||= isIt;
        else if (isIt) {
          await store.append(entries, options);
          isOver = true;
        }
        return append(entries, options);
      };
      const scene = { script: [{ text: 'Mine.' }, { text: 'More.' }], there };
      const { talk, until, errors, server, go } = await following(t, store, scene);
      talk.say('mine');
      go();
      await there.dead;
      await free(store);
      await until(isIdle(talk));
      assert.deepEqual(await saidIn(store), ['a', 'b', 'mine']);
      await talk.send('More.');
      assert.deepEqual(timesIn(server, 'mine', 'More.'), [1, 1]);
      assert.deepEqual([errors, await inboxOf(store)], [[], []]);
    });

  test(
    'is heard also if it ends right then, and who opens its session says it no more',
    limited,
    async (t) => {
      const store = memoryStore();
      const posted = Promise.withResolvers<void>();
      const post: SessionStore['post'] = async (session, message) => {
        await store.post(session, message);
        posted.resolve();
      };
      let kept: readonly WaitingMessage[] = [];
      const waiting = {
        take: async () => kept,
        keep: async (_: unknown, messages: readonly WaitingMessage[]) => {
          kept = messages;
        },
      } as unknown as WaitingMessages;
      const script: Reply[] = [{ text: 'One.' }, { text: 'Two.' }];
      const scene = { script, waiting, here: { ...store, post } };
      const { talk, turn, go, errors, server } = await following(t, store, scene);
      talk.say('mine');
      await posted.promise;
      await talk.close();
      assert.deepEqual(
        kept.map(({ text }) => text),
        ['mine'],
      );
      // The next one takes it over while the turn still runs.
      const next = talkOn(server, store, { waiting });
      t.after(() => next.talk.close());
      await next.talk.open('s');
      assert.deepEqual(next.talk.queue, ['mine']);
      go();
      await turn;
      await next.until(isIdle(next.talk));
      assert.equal(next.talk.areLeft, false);
      await next.talk.send('More.');
      assert.deepEqual(await saidIn(store), ['a', 'b', 'mine', 'More.']);
      assert.deepEqual([errors, next.errors, await inboxOf(store)], [[], [], []]);
    },
  );

  for (const isWritten of [false, true])
    test(
      `says it once where the inbox fails, ${isWritten ? 'though' : 'and'} it is ${isWritten ? '' : 'not '}written`,
      limited,
      async (t) => {
        const store = memoryStore();
        let posts = 0;
        const post: SessionStore['post'] = async (session, message) => {
          posts++;
          if (isWritten) await store.post(session, message);
          throw new Error('the disk is full');
        };
        const script: Reply[] = [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }];
        const scene = { script, here: { ...store, post } };
        const { talk, until, server, turn, go, errors } = await following(t, store, scene);
        for (const text of ['mine', 'also mine']) talk.say(text);
        await until(() => errors.length > 0);
        // The second one does not go before the first one.
        assert.equal(posts, 1);
        go();
        await turn;
        await until(isIdle(talk));
        assert.deepEqual(await saidIn(store), ['a', 'b', 'mine', 'also mine']);
        assert.deepEqual(timesIn(server, 'mine', 'also mine'), [1, 1]);
        assert.match(String(errors), /disk is full/);
        assert.deepEqual(await inboxOf(store), []);
      },
    );

  test('leaves it to its session when another one is shown', limited, async (t) => {
    const store = memoryStore();
    const script: Reply[] = [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }];
    const { talk, turn, go, errors } = await following(t, store, { script });
    await createSession(store, { id: 'another' });
    talk.say('mine');
    talk.say('later', { when: 'after' });
    await talk.open('another');
    assert.deepEqual(talk.unqueue(), ['later']);
    go();
    await turn;
    assert.deepEqual(await saidIn(store), ['a', 'b', 'mine']);
    assert.deepEqual(errors, []);
  });

  test('sends files in a turn of their own', limited, async (t) => {
    const store = memoryStore();
    const script: Reply[] = [{ text: 'One.' }, { text: 'Two.' }];
    const { talk, until, turn, go, errors, server } = await following(t, store, { script });
    const data = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64');
    talk.say('look', { files: [{ type: 'file', mediaType: 'image/png', data }] });
    go();
    await turn;
    assert.equal(server.requests.filter(({ raw }) => raw.includes('look')).length, 0);
    await until(isIdle(talk));
    assert.deepEqual(errors, []);
    assert.equal(server.requests.filter(({ raw }) => raw.includes('look')).length, 1);
  });
});

test(
  'a question of another process is withdrawn by what the user writes, and not answered',
  limited,
  async (t) => {
    const store = memoryStore();
    const server = await startModelServer({ script: [{ calls: CALLS }, { text: 'Ok.' }] });
    t.after(() => server.close());
    const asking = () => new Promise<never>(() => {});
    const other = talkOn(server, store, {
      id: 's',
      agent: { approvals: { mode: 'always', ask: asking } },
    });
    const turn = other.talk.send('a');
    await other.until(() => JSON.stringify(said(other.talk)).includes('asked'));
    const asked: AbortSignal[] = [];
    const asker = createAsker({
      ...{ note: () => {}, signal: new AbortController().signal },
      ask: (_, signal) => {
        asked.push(signal);
        return asking();
      },
    });
    const { talk, errors } = talkOn(server, store, { asker });
    t.after(() => Promise.all([talk.close(), other.talk.close()]));
    await talk.open('s');
    await untilSo(t, () => asked.length === 1);
    talk.say('No, wait.');
    assert.equal((await turn).reason, 'done');
    await untilSo(t, () => asked[0]?.aborted === true);
    const kinds = (await store.read('s')).flatMap(({ kind, body }) =>
      kind === 'answer' ? [Reflect.get(body, 'approved')] : [],
    );
    assert.deepEqual(kinds, [false]);
    assert.deepEqual(timesIn(server, 'No, wait.'), [1]);
    assert.deepEqual([errors, await inboxOf(store)], [[], []]);
  },
);
