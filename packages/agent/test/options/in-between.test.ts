import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS, modelOn } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { DISPATCH, NATIVE } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { AgentEvent } from '../../src/events/events.ts';
import { inboxMessage } from '../../src/options/inbox.ts';
import type { Agent, AgentOptions } from '../../src/options/options.ts';
import { memoryStore, type SessionStore } from '../../src/sessions.ts';
import { USER_WROTE } from '../../src/state/messages.ts';
import { assertHeld, collect, ended } from '../agent.test-support.ts';
import { dying, free } from '../log/dying-store.test-support.ts';
import { agentIn, type Done, effectGroup, STRATEGIES } from '../log/session-talk.test-support.ts';

const limited = { timeout: 30_000 };
const COMPATIBLE = ENDPOINTS.find(({ name }) => name === 'openai-compatible') ?? assert.fail();
const WORD = 'No, wait.';
const call = (name: string, n: number, dialect = DISPATCH) => ({
  ...dialect.call(`work__${name}`, { n }),
  id: `c${n}`,
});

interface Talk {
  readonly store?: SessionStore;
  readonly done?: Done;
  readonly agent?: Partial<AgentOptions>;
  readonly strategy?: (typeof STRATEGIES)[number][0];
  readonly onRun?: (when: 'before' | 'after') => Promise<void>;
}

function talkOn(server: ModelServer, talk: Talk = {}): Promise<Agent> {
  const { store = memoryStore(), done = [], agent, strategy = 'dispatch', onRun } = talk;
  const fold = { strategy, groups: [effectGroup(done, onRun)] };
  return agentIn(store, server, { fold: fold as never, agent: { ...agent } });
}

/** The bodies of all requests from the one that has the word. */
const heardIn = ({ requests }: ModelServer): number =>
  requests.findIndex(({ raw }) => raw.includes(WORD));

const failures = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'failure' ? [`${event.id}: ${event.error}`] : []));

/** The users' messages, as the entries say, with their ids. */
async function users(store: SessionStore): Promise<unknown[]> {
  const entries = await store.read('s');
  return entries.flatMap(({ kind, body }) => (kind === 'user' ? [Reflect.get(body, 'id')] : []));
}

/** Sends a message in place of an answer to an open question, which is never answered. */
function writeInstead(talk: Agent, signal: AbortSignal | undefined): Promise<never> {
  const never = Promise.withResolvers<never>();
  signal?.addEventListener('abort', () => never.reject(signal.reason));
  void collect(talk.send(WORD, { when: 'now' }));
  return never.promise;
}

describe('a message that is sent while a turn runs', () => {
  for (const [strategy, dialect] of STRATEGIES)
    test(`reaches the model behind the results, in ${strategy}`, limited, async () => {
      await using server = await startModelServer({
        script: [
          { calls: [call('send', 1, dialect)] },
          { calls: [call('add', 2, dialect)] },
          { text: 'Ok.' },
          { text: 'Bye.' },
        ],
      });
      const [store, done] = [memoryStore(), [] as Done];
      const talk = await talkOn(server, { store, done, strategy });
      const events: AgentEvent[] = [];
      let word: Promise<unknown> | undefined;
      for await (const event of talk.send('Go.', { id: 'a' })) {
        events.push(event);
        if (event.type === 'tool-start')
          word ??= collect(talk.send(WORD, { when: 'now', id: 'b' }));
      }
      // The call that ran when it came runs to its end.
      assert.deepEqual(await word, []);
      assert.deepEqual(done, ['send:1', 'add:2']);
      assert.equal(ended(events).reason, 'done');
      const said = events.flatMap((event) => (event.type === 'user' ? [event.text] : []));
      assert.deepEqual(said, ['Go.', WORD]);
      assert.equal(events.filter(({ type }) => type === 'start').length, 1);
      assert.equal(heardIn(server), 1);
      assert.ok(server.requests[2]?.raw.includes(WORD));
      assert.deepEqual(await users(store), ['a', 'b']);
      assert.equal((await store.read('s')).filter(({ kind }) => kind === 'turn').length, 1);
      await collect(talk.send('More.'));
      const roles = talk.messages.map(({ role }) => role).join(' ');
      assert.equal(roles, 'user assistant tool user assistant tool assistant user assistant');
      assertHeld(server);
    });

  test('keeps calls that have not begun from running, but not free reads', limited, async () => {
    const calls = [call('read', 1), call('send', 2), call('set', 3)];
    await using server = await startModelServer({
      script: [{ text: 'Hm.', calls }, { text: 'Ok.' }],
    });
    const done: Done = [];
    const talk = await talkOn(server, { done });
    const events: AgentEvent[] = [];
    for await (const event of talk.send('Go.')) {
      events.push(event);
      // The answer still arrives.
      if (event.type === 'call' && event.id === 'c1')
        void collect(talk.send(WORD, { when: 'now' }));
    }
    assert.deepEqual(done, ['read:1']);
    assert.equal(heardIn(server), 1);
    const decisions = events.flatMap((one) => (one.type === 'decision' ? [one.reason] : []));
    assert.deepEqual(decisions, [USER_WROTE, USER_WROTE]);
    assert.equal(ended(events).text, 'Hm.\n\nOk.');
    assertHeld(server);
  });

  test(
    'answers no open question: its call does not run, and is asked about again',
    limited,
    async () => {
      await using server = await startModelServer({
        script: [
          { calls: [call('send', 1), call('read', 2)] },
          { calls: [call('send', 3)] },
          { text: 'Ok.' },
        ],
      });
      const [done, asked] = [[] as Done, [] as string[]];
      const talk: Agent = await talkOn(server, {
        done,
        agent: {
          approvals: {
            mode: 'always',
            ask: ({ arguments: given, signal }) => {
              asked.push(JSON.stringify(given));
              if (asked.length > 1) return Promise.resolve({ approved: true });
              return writeInstead(talk, signal);
            },
          },
        },
      });
      const events = await collect(talk.send('Go.'));
      assert.equal(ended(events).reason, 'done');
      assert.deepEqual(asked, ['{"n":1}', '{"n":3}']);
      assert.deepEqual(done, ['send:3']);
      assert.equal(heardIn(server), 1);
      assertHeld(server);
    },
  );

  test('approved calls that have not begun do not run either', limited, async () => {
    await using server = await startModelServer({
      script: [{ calls: [call('send', 1), call('add', 2)] }, { text: 'Ok.' }],
    });
    const done: Done = [];
    let asked = 0;
    const talk: Agent = await talkOn(server, {
      done,
      agent: {
        approvals: {
          mode: 'always',
          ask: ({ signal }) => {
            if (++asked === 1) return Promise.resolve({ approved: true });
            return writeInstead(talk, signal);
          },
        },
      },
    });
    const events = await collect(talk.send('Go.'));
    assert.equal(ended(events).reason, 'done');
    assert.deepEqual(
      failures(events).filter((one) => one.includes('unknown')),
      [],
    );
    assert.deepEqual(done, []);
    assertHeld(server);
  });

  test('`after` waits for the end of the answer; each kind keeps its order', limited, async () => {
    await using server = await startModelServer({
      script: [
        { calls: [call('send', 1)] },
        { calls: [call('send', 2)] },
        { text: 'Ok.' },
        { text: 'Bye.' },
      ],
    });
    const [store, done] = [memoryStore(), [] as Done];
    const talk = await talkOn(server, { store, done });
    let isSaid = false;
    for await (const event of talk.send('Go.', { id: '0' })) {
      if (event.type !== 'tool-start' || isSaid) continue;
      isSaid = true;
      for (const [id, when] of Object.entries({ a1: 'after', n1: 'now', a2: 'after', n2: 'now' }))
        void collect(talk.send(`${id}.`, { id, when: when as 'now' }));
    }
    assert.deepEqual(await users(store), ['0', 'n1', 'n2', 'a1', 'a2']);
    assert.deepEqual(done, ['send:1', 'send:2']);
    assert.equal(server.requests.length, 4);
    assertHeld(server);
  });

  test(
    'waits for the end of the answer where no model takes it behind results',
    limited,
    async () => {
      await using server = await startModelServer({
        script: [
          { calls: [call('send', 1, NATIVE)] },
          { calls: [call('send', 2, NATIVE)] },
          { text: 'Ok.' },
          { text: 'Well.' },
          { text: 'Bye.' },
        ],
      });
      const done: Done = [];
      const model = modelOn(server, COMPATIBLE, 'mistral-small');
      const talk = await talkOn(server, { done, strategy: 'eager', agent: { model } });
      let isSaid = false;
      for await (const event of talk.send('Go.')) {
        if (event.type !== 'tool-start' || isSaid) continue;
        isSaid = true;
        for (const text of [WORD, 'Another.']) void collect(talk.send(text, { when: 'now' }));
      }
      assert.deepEqual(done, ['send:1', 'send:2']);
      assert.equal(heardIn(server), 3);
      // Nor does it take two of them in a row.
      const roles = talk.messages.map(({ role }) => role).join(' ');
      assert.match(roles, /tool assistant user assistant user assistant$/);
    },
  );

  test(
    'begins a turn of its own if the turn ends before, unless it is taken back',
    limited,
    async () => {
      await using server = await startModelServer({ script: () => ({ text: 'Ok.' }) });
      for (const isTakenBack of [false, true]) {
        const talk = await talkOn(server);
        const [stop, back] = [new AbortController(), new AbortController()];
        let word: Promise<AgentEvent[]> | undefined;
        for await (const event of talk.send('Go.', { signal: stop.signal })) {
          if (event.type !== 'request') continue;
          word = collect(talk.send(WORD, { when: 'now', signal: back.signal }));
          if (isTakenBack) back.abort();
          stop.abort();
        }
        const events = (await word) ?? assert.fail();
        assert.deepEqual(
          events.flatMap((event) => (event.type === 'end' ? [event.reason] : [])),
          isTakenBack ? [] : ['done'],
        );
      }
    },
  );

  test('needs a time, and a running turn', limited, async () => {
    await using server = await startModelServer({ script: () => ({ text: 'Ok.' }) });
    const talk = await talkOn(server);
    assert.throws(() => talk.send('a', { when: 'soon' as 'now' }), { code: 'invalid-option' });
    assert.equal(ended(await collect(talk.send('a', { when: 'now' }))).reason, 'done');
  });
});

describe('a message that another process posts', () => {
  test('is taken by the entry of the user, once', limited, async () => {
    await using server = await startModelServer({
      script: [{ calls: [call('send', 1)] }, { text: 'Ok.' }, { text: 'Bye.' }],
    });
    const store = memoryStore();
    const looked = Promise.withResolvers<void>();
    const { look } = store;
    store.look = async (lease) => {
      const found = await look(lease);
      if (found.messages.length > 0) setImmediate(looked.resolve);
      return found;
    };
    const talk = await talkOn(server, {
      store,
      onRun: async (when) => {
        if (when === 'before') return;
        const word = inboxMessage('user', { text: WORD, when: 'now' }, 'w');
        await store.post('s', word);
        await looked.promise;
      },
    });
    assert.equal(ended(await collect(talk.send('Go.', { id: 'a' }))).reason, 'done');
    assert.deepEqual(await users(store), ['a', 'w']);
    assert.equal(heardIn(server), 1);
    await collect(talk.send('More.', { id: 'w' }));
    await collect(talk.send('More.', { id: 'b' }));
    assert.deepEqual(await users(store), ['a', 'w', 'b']);
    assertHeld(server);
  });

  test(
    'while nobody held the session, is heard by who resumes: nothing runs before',
    limited,
    async () => {
      const replies: Reply[] = [{ calls: [call('send', 1)] }, { text: 'Ok.' }];
      await using server = await startModelServer({ script: replies });
      const [store, done] = [memoryStore(), [] as Done];
      const asking = { approvals: { mode: 'always' as const } };
      const first = await talkOn(server, { store, done, agent: asking });
      assert.equal(ended(await collect(first.send('Go.'))).reason, 'approval');
      for (const when of ['soon', 'now'] as const)
        await store.post('s', inboxMessage('user', { text: WORD, when: when as 'now' }, when));
      const other = await talkOn(server, { store, done, agent: asking });
      assert.equal(ended(await collect(other.resume())).reason, 'done');
      assert.deepEqual(done, []);
      assert.deepEqual(await users(store), [undefined, 'now']);
      assert.equal(heardIn(server), 1);
      assertHeld(server);
    },
  );

  test(
    'that the session has already says nothing again, also to an open question',
    limited,
    async () => {
      const replies: Reply[] = [{ calls: [call('send', 1)] }, { text: 'Ok.' }, { text: 'Bye.' }];
      await using server = await startModelServer({ script: replies });
      const [store, done] = [memoryStore(), [] as Done];
      const word = inboxMessage('user', { text: WORD, when: 'now' }, 'w');
      const asking = { approvals: { mode: 'always' as const } };
      const first = await talkOn(server, { store, done, agent: asking });
      // Its sender sends it, and it waits in the inbox too.
      await store.post('s', word);
      assert.equal(ended(await collect(first.send(WORD, { id: 'w' }))).reason, 'approval');
      await store.post('s', inboxMessage('user', { text: WORD, when: 'now' }, 'w'));
      for (const _ of [1, 2]) {
        const next = await talkOn(server, { store, done, agent: asking });
        await assert.rejects(collect(next.resume()), { code: 'invalid-option' });
      }
      const last = await talkOn(server, { store, done, agent: asking });
      const [asked] = last.pending;
      await collect(last.answer({ [asked?.approvalId ?? '']: { approved: true } }));
      assert.deepEqual([done, await users(store)], [['send:1'], ['w']]);
      assert.equal(server.requests.at(-1)?.raw.split(WORD).length, 2);
      assertHeld(server);
    },
  );

  test('promise 79: a message that comes both ways is said once', limited, async () => {
    await using server = await startModelServer({
      script: [{ calls: [call('send', 1)] }, { text: 'Ok.' }],
    });
    const store = memoryStore();
    const talk: Agent = await talkOn(server, {
      store,
      onRun: async (when) => {
        if (when === 'before') return;
        await store.post('s', inboxMessage('user', { text: WORD, when: 'now' }, 'w'));
        void collect(talk.send(WORD, { id: 'w', when: 'now' }));
      },
    });
    assert.equal(ended(await collect(talk.send('Go.', { id: 'a' }))).reason, 'done');
    assert.deepEqual(await users(store), ['a', 'w']);
    assert.equal(heardIn(server), 1);
    assertHeld(server);
  });

  for (const when of ['before', 'after'] as const)
    test(
      `promise 79: is said once where the process is killed ${when} its entry is written`,
      limited,
      async () => {
        const replies: Reply[] = [{ calls: [call('send', 1)] }, { text: 'Ok.' }, { text: 'Bye.' }];
        await using server = await startModelServer({ script: replies });
        const [store, done] = [memoryStore(), [] as Done];
        let isOver = false;
        const mortal = dying(store, () => isOver);
        const { append } = mortal;
        mortal.append = async (entries, options) => {
          const isWord = entries.some(({ kind, body }) => kind === 'user' && body.id === 'w');
          if (isWord && when === 'after') await store.append(entries, options);
          isOver ||= isWord;
          return append(entries, options);
        };
        const word = inboxMessage('user', { text: WORD, when: 'now' }, 'w');
        const first = await talkOn(server, {
          ...{ store: mortal, done },
          onRun: async (when) => {
            if (when === 'after') await store.post('s', word);
          },
        });
        void collect(first.send('Go.', { id: 'a' }));
        await mortal.dead;
        await free(store);
        const other = await talkOn(server, { store, done });
        assert.equal(ended(await collect(other.resume())).reason, 'done');
        assert.deepEqual([done, await users(store)], [['send:1'], ['a', 'w']]);
        assert.equal(server.requests.at(-1)?.raw.split(WORD).length, 2);
        await collect(other.send('More.', { id: 'b' }));
        assert.deepEqual(await users(store), ['a', 'w', 'b']);
        assertHeld(server);
      },
    );

  for (const name of ['send', 'set'] as const)
    test(
      `promise 79: says of no call that has begun that it did not run: ${name}`,
      limited,
      async () => {
        await using server = await startModelServer({
          script: [{ calls: [call(name, 1), call('add', 2)] }, { text: 'Ok.' }],
        });
        const [store, done, asked] = [memoryStore(), [] as Done, [] as string[]];
        const ran = Promise.withResolvers<void>();
        let isOver = false;
        const mortal = dying(store, () => isOver);
        const first = await talkOn(server, {
          ...{ store: mortal, done },
          onRun: async (when) => {
            if (when === 'before') return;
            isOver = true;
            ran.resolve();
            await new Promise(() => {});
          },
        });
        void collect(first.send('Go.'));
        await ran.promise;
        await free(store);
        await store.post('s', inboxMessage('user', { text: WORD, when: 'now' }, 'w'));
        const onUnknown = async ({ id }: { readonly id: string }) => {
          asked.push(id);
          return undefined;
        };
        const other = await talkOn(server, { store, done, agent: { onUnknown } });
        const events = await collect(other.resume());
        assert.equal(ended(events).reason, 'done');
        const isSafe = name === 'set';
        assert.equal(asked.includes('c1'), !isSafe);
        assert.equal(done.filter((one) => one === `${name}:1`).length, isSafe ? 2 : 1);
        const said = events.filter((event) => 'id' in event && event.id === 'c1');
        assert.ok(!JSON.stringify(said).includes(USER_WROTE));
        assert.equal(heardIn(server), 1);
        assertHeld(server);
      },
    );

  // With questions, nobody is asked again about a call that was refused.
  for (const mode of ['never', 'always'] as const) {
    const name = `the reason of a call that did not run outlives the process, asking ${mode}`;
    test(`promise 79: ${name}`, limited, async () => {
      const agent = { approvals: { mode } };
      // The message is known when the answer comes.
      const looked = Promise.withResolvers<void>();
      await using server = await startModelServer({
        script: [{ calls: [call('send', 1)], hold: looked.promise }, { text: 'Ok.' }],
      });
      const [store, done] = [memoryStore(), [] as Done];
      let isOver = false;
      const mortal = dying(store, () => isOver);
      const { append, look } = mortal;
      mortal.look = async (lease) => {
        const found = await look(lease);
        if (found.messages.length > 0) setImmediate(looked.resolve);
        return found;
      };
      mortal.append = async (entries, options) => {
        if (entries.some(({ kind }) => kind === 'request'))
          await store.post('s', inboxMessage('user', { text: WORD, when: 'now' }, 'w'));
        const isDenied = entries.some(({ kind, body }) => kind === 'result' && 'denied' in body);
        if (isDenied) await store.append(entries, options);
        isOver ||= isDenied;
        return append(entries, options);
      };
      const first = await talkOn(server, { store: mortal, done, agent });
      void collect(first.send('Go.'));
      await mortal.dead;
      await free(store);
      const other = await talkOn(server, { store, done, agent });
      const events = await collect(other.resume());
      assert.equal(ended(events).reason, 'done');
      assert.ok(!events.some(({ type }) => type === 'approval'));
      assert.deepEqual(done, []);
      assert.ok(server.requests.at(-1)?.raw.includes(USER_WROTE));
      assert.equal(heardIn(server), 1);
      assertHeld(server);
    });
  }
});
