import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { createSession } from '@toolfold/agent/internal/sessions/session.ts';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { begin } from '@toolfold/agent/test/agent.test-support.ts';
import { scripted, send, tasks, team } from '@toolfold/agent/test/subagents/team.test-support.ts';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { isIdle, said, talkOn } from '../../test/conversations/conversation.test-support.ts';
import { createAsker } from '../questions/asker.ts';

describe('messages', () => {
  test('that are for later wait for the end of the turn, and are sent one after the other', async () => {
    const gate = Promise.withResolvers<void>();
    const script: Reply[] = [
      { text: 'One.', hold: gate.promise },
      { text: 'Two.' },
      { text: 'Three.' },
    ];
    await using server = await startModelServer({ script });
    const { talk, until, errors } = talkOn(server, memoryStore());
    for (const text of ['a', 'b', 'c']) talk.say(text, { when: 'after' });
    assert.equal(talk.state, 'running');
    assert.deepEqual([talk.sending, talk.queue], ['a', ['b', 'c']]);
    gate.resolve();
    await until(isIdle(talk));
    assert.equal(talk.sending, undefined);
    assert.deepEqual(said(talk), [
      ['a', 'One.'],
      ['b', 'Two.'],
      ['c', 'Three.'],
    ]);
    assert.deepEqual(errors, []);
    assert.equal(talk.session?.record.title, 'a');
    await talk.close();
  });

  test('with an id of an earlier one are not sent again', async () => {
    const gate = Promise.withResolvers<void>();
    const script: Reply[] = [{ text: 'One.', hold: gate.promise }, { text: 'Two.' }];
    await using server = await startModelServer({ script });
    const { talk, until } = talkOn(server, memoryStore());
    const post = () => {
      talk.say('a', { id: 'first', when: 'after' });
      talk.say('b', { id: 'second', when: 'after' });
    };
    post();
    post();
    assert.deepEqual(talk.queue, ['b']);
    gate.resolve();
    await until(isIdle(talk));
    post();
    assert.deepEqual(said(talk), [
      ['a', 'One.'],
      ['b', 'Two.'],
    ]);
    assert.equal(server.requests.length, 2);
    await talk.close();
  });

  test('are given to the turn that runs, once, and wait until the session has them', async () => {
    const gate = Promise.withResolvers<void>();
    const calls = [{ name: 'nothing', arguments: {} }];
    const script: Reply[] = [{ calls, hold: gate.promise }, { text: 'Two.' }, { text: 'Three.' }];
    await using server = await startModelServer({ script });
    const { talk, until, errors } = talkOn(server, memoryStore());
    talk.say('a', { when: 'after' });
    while (server.requests.length < 1) await new Promise(setImmediate);
    talk.say('later', { when: 'after' });
    for (const text of ['b', 'c']) talk.say(text);
    assert.deepEqual(talk.queue, ['later', 'b', 'c']);
    gate.resolve();
    while (server.requests.length < 2) await new Promise(setImmediate);
    assert.deepEqual(talk.queue, ['later']);
    await until(isIdle(talk));
    assert.deepEqual(
      server.requests.map(({ raw }) =>
        ['b', 'c', 'later'].filter((one) => raw.includes(`"${one}"`)),
      ),
      [[], ['b', 'c'], ['b', 'c', 'later']],
    );
    assert.deepEqual(
      talk.session?.entries.flatMap(({ kind }) =>
        kind === 'turn' || kind === 'user' ? [kind] : [],
      ),
      ['turn', 'user', 'user', 'user', 'turn', 'user'],
    );
    assert.deepEqual(errors, []);
    await talk.close();
  });

  test('that wait can be taken back, also from the turn that runs', async () => {
    const gate = Promise.withResolvers<void>();
    await using server = await startModelServer({ script: [{ text: 'One.', hold: gate.promise }] });
    const { talk, until } = talkOn(server, memoryStore());
    for (const text of ['a', 'b', 'c']) talk.say(text);
    assert.deepEqual(talk.unqueue(), ['b', 'c']);
    gate.resolve();
    await until(isIdle(talk));
    assert.deepEqual(said(talk), [['a', 'One.']]);
    await talk.close();
  });

  test('stay when their turn can not begin, and are sent with the next one', async () => {
    await using server = await startModelServer({ script: () => ({ text: 'Yes.' }) });
    let isBroken = true;
    const store = memoryStore();
    const { talk, errors, until } = talkOn(server, store, {
      agents: {
        prepare: async () => {
          if (isBroken)
            throw new ToolfoldError('invalid-option', 'No model is chosen.', 'Choose one.');
          return (session) => begin(server, { agent: { session } }).talk;
        },
        apply: async () => {},
        events: (turn) => turn,
      },
    });
    talk.say('a');
    await until(() => errors.length === 1);
    assert.deepEqual([talk.state, talk.queue], ['idle', ['a']]);
    assert.deepEqual(await store.list(), []);
    isBroken = false;
    talk.say('b', { when: 'after' });
    await until(isIdle(talk));
    assert.deepEqual(said(talk), [
      ['a', 'Yes.'],
      ['b', 'Yes.'],
    ]);
    await talk.close();
  });
});

describe('a turn', () => {
  const place = { seq: 1, turn: 1, step: 0, at: 0 };
  const warning = (text: string) => ({ type: 'warning', text, ...place }) as const;

  test('lets a question wait until all that happened before is taken', async () => {
    await using server = await startModelServer({ script: [] });
    const taken: string[] = [];
    const { talk } = talkOn(server, memoryStore(), {
      take: async (event) => {
        for (let at = 0; at < 5; at++) await new Promise((resolve) => setImmediate(resolve));
        taken.push(event.type === 'warning' ? event.text : event.type);
      },
    });
    const over = Promise.withResolvers<void>();
    await talk.ready();
    const turn = talk.turn(async function* () {
      yield warning('one');
      yield warning('two');
      await over.promise;
      yield { type: 'end', reason: 'done', text: '', ...place };
    });
    while (taken.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([talk.caughtUp(), talk.caughtUp()]);
    assert.deepEqual(taken, ['one', 'two']);
    over.resolve();
    assert.equal((await turn).reason, 'done');
    await talk.caughtUp();
    await talk.close();
  });

  test('ends with an event that cannot be taken', async () => {
    await using server = await startModelServer({ script: [] });
    const { talk } = talkOn(server, memoryStore(), {
      take: () => Promise.reject(new Error('closed')),
    });
    let isOver = false;
    const turn = talk.turn(async function* () {
      try {
        yield warning('one');
        yield warning('two');
      } finally {
        isOver = true;
      }
    });
    await assert.rejects(turn, /closed/);
    assert.ok(isOver);
    await talk.caughtUp();
    assert.equal(talk.state, 'idle');
    await talk.close();
  });

  test('that is cancelled ends, and the next message is sent', async () => {
    const begun = Promise.withResolvers<void>();
    const never = new Promise<void>(() => {});
    const pace = (sent: number) => {
      if (sent < 4) return;
      begun.resolve();
      return never;
    };
    const first: Reply = { text: 'A long answer that goes on.', chunkSize: 4, pace };
    await using server = await startModelServer({ script: [first, { text: 'Two.' }] });
    const { talk, until } = talkOn(server, memoryStore());
    talk.say('a');
    await begun.promise;
    await talk.cancel();
    assert.equal(talk.state, 'idle');
    assert.equal(talk.view.turns[0]?.end?.reason, 'cancelled');
    talk.say('b');
    await until(isIdle(talk));
    assert.deepEqual(said(talk).at(-1), ['b', 'Two.']);
    await talk.cancel();
    await talk.close();
  });

  test('that goes on is cancelled by the command that has begun it, and messages wait', async () => {
    const begun = Promise.withResolvers<void>();
    const never = new Promise<void>(() => {});
    const hold = () => {
      begun.resolve();
      return never;
    };
    const script: Reply[] = [
      { error: { status: 400, body: 'no' } },
      { text: 'One.', pace: hold },
      { text: 'Two.' },
    ];
    await using server = await startModelServer({ script });
    const { talk } = talkOn(server, memoryStore());
    await talk.send('a');
    const command = new AbortController();
    const resumed = talk.resume(command.signal);
    await begun.promise;
    talk.say('b');
    command.abort(new Error('Esc'));
    await resumed;
    assert.equal(talk.view.turns.at(-1)?.end?.reason, 'cancelled');
    assert.deepEqual([talk.state, talk.queue], ['idle', ['b']]);
    assert.equal(server.requests.length, 2);
    assert.deepEqual(talk.unqueue(), ['b']);
    await talk.close();
  });

  test('forbids what would change its session', async () => {
    const gate = Promise.withResolvers<void>();
    await using server = await startModelServer({ script: [{ text: 'One.', hold: gate.promise }] });
    const { talk, until } = talkOn(server, memoryStore());
    talk.say('a');
    const busy = { code: 'invalid-option', message: /^A turn is running\./ };
    for (const work of [() => talk.open(undefined), () => talk.fork(), () => talk.resume()])
      await assert.rejects(work(), busy);
    await assert.rejects(talk.send('b'), busy);
    assert.throws(() => talk.checkIdle(), busy);
    gate.resolve();
    await until(isIdle(talk));
    await talk.close();
  });

  test('of a fork does not change the other session', async () => {
    await using server = await startModelServer({ script: () => ({ text: 'Yes.' }) });
    const { talk } = talkOn(server, memoryStore());
    await assert.rejects(talk.fork(), /nothing to fork/);
    await talk.send('a');
    const first = talk.session?.id ?? '';
    const fork = await talk.fork();
    await talk.send('b');
    assert.deepEqual(said(talk), [
      ['a', 'Yes.'],
      ['b', 'Yes.'],
    ]);
    await talk.open(first);
    assert.deepEqual(said(talk), [['a', 'Yes.']]);
    assert.notEqual(fork.id, first);
    await talk.open(undefined);
    assert.deepEqual(said(talk), []);
    await assert.rejects(talk.open('nothing'), { code: 'session-unknown' });
    await talk.close();
  });

  test('of a fork shows the subagents of the turns that it shares', async () => {
    const script = scripted([send(tasks(1)), { text: 'Together.' }], () => ({ text: 'Alone.' }));
    await using server = await startModelServer({ script });
    const { talk } = talkOn(server, memoryStore(), {
      agents: {
        prepare: async () => (session) => team(server, {}, { agent: { session } }).talk,
        apply: async () => {},
        events: (turn) => turn,
      },
    });
    await talk.send('a');
    const childOf = () => {
      const [call] = talk.view.turns[0]?.blocks.filter((block) => block.kind === 'call') ?? [];
      return call?.kind === 'call' ? call.children.map(({ turns }) => turns.length) : [];
    };
    assert.deepEqual(childOf(), [1]);
    await talk.fork();
    assert.deepEqual(childOf(), [1]);
    await talk.close();
  });

  test('that stopped in its middle goes on, and shows its answer once', async () => {
    const store = memoryStore();
    const never = new Promise<void>(() => {});
    const calls = [DISPATCH.call('github__create_issue', { title: 'x' })];
    const script: Reply[] = [
      { text: 'Let me see.', calls },
      { text: 'Lost.', hold: never },
    ];
    const id = await (async () => {
      await using server = await startModelServer({ script });
      const { talk, until } = talkOn(server, store);
      talk.say('Go.');
      await until(
        () =>
          talk.view.turns[0]?.blocks.some(
            (one) => one.kind === 'call' && one.status !== 'waiting',
          ) === true,
      );
      await talk.close();
      return talk.session?.id ?? '';
    })();
    // The end of the turn is lost: the process died.
    const broken = memoryStore();
    const entries = (await store.read(id)).filter(
      ({ kind, body }) => kind !== 'event' || !/"type":"end"/.test(JSON.stringify(body)),
    );
    const copy = await createSession(broken, { id });
    await copy.begin({ onMessage: () => {}, onLost: () => {} });
    await copy.append(entries.map(({ kind, body }) => ({ kind, body })));
    await copy.end();

    await using server = await startModelServer({ script: [{ text: 'Done.' }] });
    const { talk } = talkOn(server, broken);
    await talk.open(id);
    const before = said(talk);
    await talk.resume();
    const [turn] = said(talk);
    assert.deepEqual(said(talk).length, 1);
    assert.deepEqual(turn?.slice(0, 2), before[0]?.slice(0, 2));
    assert.equal(turn?.filter((text) => text === 'Let me see.').length, 1);
    assert.equal(turn?.filter((text) => text?.startsWith('github__create_issue')).length, 1);
    assert.equal(turn?.at(-1), 'Done.');
    await talk.close();
  });
});

describe('what a screen shows beside the turns', () => {
  test('keeps quick questions with their cost outside the messages, with or without the conversation', async () => {
    await using server = await startModelServer({ script: () => ({ text: 'Yes.' }) });
    const store = memoryStore();
    const { talk, until } = talkOn(server, store);
    talk.say('a');
    await until(isIdle(talk));
    await talk.quick.ask('b', new AbortController().signal);
    // Apart from the turn before.
    assert.deepEqual(
      talk.view.turns.map(({ usage }) => usage.requests),
      [1],
    );
    assert.equal(talk.besides?.requests, 1);
    const { signal } = new AbortController();
    await talk.quick.ask('c', signal, { conversation: false });
    const asked = talk.quick.asked.map(({ question, answer, conversation }) => [
      question,
      answer,
      conversation,
    ]);
    assert.deepEqual(asked, [
      ['b', 'Yes.', true],
      ['c', 'Yes.', false],
    ]);
    assert.equal(
      talk.quick.asked[1]?.usage.input,
      talk.besides.input - (talk.quick.asked[0]?.usage.input ?? 0),
    );
    const [first, , third] = server.requests.map(({ raw }) => raw);
    assert.deepEqual(
      [/"a"/.test(first ?? ''), /"a"/.test(third ?? ''), /"c"/.test(third ?? '')],
      [true, false, true],
    );
    assert.doesNotMatch(third ?? '', /"tools"/);
    const { id = assert.fail() } = talk.session ?? {};
    await talk.close();
    // Another process knows them too.
    const again = talkOn(server, store).talk;
    await again.open(id);
    assert.deepEqual(again.quick.asked, talk.quick.asked);
    assert.deepEqual(again.besides, talk.besides);
    assert.deepEqual(said(again), [['a', 'Yes.']]);
    await again.open(undefined);
    assert.deepEqual([again.quick.asked, again.besides], [[], undefined]);
    await again.close();
  });

  test('takes the offer to go on back when a message is sent', async () => {
    const store = memoryStore();
    const session = await createSession(store, { id: 's' });
    await session.begin({ onMessage: () => {}, onLost: () => {} });
    await session.append([
      { kind: 'turn', body: {} },
      { kind: 'user', body: { message: { role: 'user', content: 'Go.' } } },
    ]);
    await session.end();
    const asked: AbortSignal[] = [];
    const asker = createAsker({
      ...{ note: () => {}, signal: new AbortController().signal },
      ask: async (_, signal) => {
        asked.push(signal);
        await once(signal, 'abort');
        throw signal.reason;
      },
    });
    await using server = await startModelServer({ script: [{ text: 'Yes.' }] });
    const { talk, errors } = talkOn(server, store, { asker });
    await talk.open('s');
    const offer = talk.offerToContinue();
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await talk.send('Something else.');
    await offer;
    assert.deepEqual([asked.map(({ aborted }) => aborted), errors], [[true], []]);
    await talk.close();
  });
});

describe('a session that another process writes', () => {
  test('is followed message by message, and a message waits for its turn', async () => {
    const store = memoryStore();
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const calls = [DISPATCH.call('github__create_issue', { title: 'x' })];
    const script: Reply[] = [
      { text: 'Zero.' },
      { text: 'One.', calls, hold: gates[0]?.promise ?? assert.fail() },
      { text: 'Two.', hold: gates[1]?.promise ?? assert.fail() },
      { text: 'Mine.' },
    ];
    await using server = await startModelServer({ script });
    const other = talkOn(server, store);
    await other.talk.send('a');
    const id = other.talk.session?.id ?? '';
    const { talk, until, errors } = talkOn(server, store);
    await talk.open(id);
    assert.deepEqual(said(talk), [['a', 'Zero.']]);

    const running = other.talk.send('b');
    await until(() => talk.state === 'elsewhere');
    talk.say('mine', { when: 'after' });
    assert.deepEqual(talk.queue, ['mine']);
    gates[0]?.resolve();
    await until(() => JSON.stringify(said(talk)).includes('One.'));
    assert.equal(talk.state, 'elsewhere');
    gates[1]?.resolve();
    await running;
    await until(() => said(talk).length === 3 && isIdle(talk)());
    assert.deepEqual(said(talk).at(-1), ['mine', 'Mine.']);
    assert.equal(said(talk)[1]?.at(-1), 'Two.');
    assert.deepEqual(errors, []);
    await Promise.all([talk.close(), other.talk.close()]);
  });

  test('shows the text of an answer that another process still receives', async () => {
    const store = memoryStore();
    const gate = Promise.withResolvers<void>();
    const script: Reply[] = [
      { text: 'Zero.' },
      {
        text: 'One and two.',
        chunkSize: 4,
        pace: (sent) => (sent < 4 ? undefined : gate.promise),
      },
    ];
    await using server = await startModelServer({ script });
    const other = talkOn(server, store);
    await other.talk.send('a');
    const { talk, until, errors } = talkOn(server, store);
    await talk.open(other.talk.session?.id);
    const first = talk.view.turns[0];
    const running = other.talk.send('b');
    await until(() => /^One/.test(String(said(talk)[1]?.at(-1))));
    assert.notEqual(said(talk)[1]?.at(-1), 'One and two.');
    assert.equal(talk.view.turns[0], first);
    gate.resolve();
    await running;
    await until(() => isIdle(talk)());
    assert.deepEqual(said(talk)[1], ['b', 'One and two.']);
    assert.deepEqual(errors, []);
    await Promise.all([talk.close(), other.talk.close()]);
  });

  test('that became busy unseen gets the message when it is free', async () => {
    const store = memoryStore();
    const gate = Promise.withResolvers<void>();
    const script: Reply[] = [
      { text: 'Zero.' },
      { text: 'One.', hold: gate.promise },
      { text: 'Mine.' },
    ];
    await using server = await startModelServer({ script });
    const other = talkOn(server, store);
    await other.talk.send('a');
    const { talk, until, errors } = talkOn(server, store);
    await talk.open(other.talk.session?.id);
    const running = other.talk.send('b');
    await other.until(() => other.talk.view.turns.length === 2);
    talk.say('mine', { when: 'after' });
    await until(() => talk.state === 'elsewhere');
    assert.deepEqual(talk.queue, ['mine']);
    gate.resolve();
    await running;
    await until(() => said(talk).length === 3 && isIdle(talk)());
    assert.deepEqual(said(talk).at(-1), ['mine', 'Mine.']);
    assert.deepEqual(errors, []);
    await Promise.all([talk.close(), other.talk.close()]);
  });

  test('goes on here with a turn that failed there', async () => {
    const script: Reply[] = [
      { text: 'Zero.' },
      { error: { status: 400, body: 'no' } },
      { text: 'One.' },
      { text: 'Two.' },
    ];
    await using server = await startModelServer({ script });
    const store = memoryStore();
    const { talk, until, errors } = talkOn(server, store);
    await talk.send('a');
    const other = talkOn(server, store);
    await other.talk.open(talk.session?.id);
    await other.talk.send('b');
    await until(() => talk.view.turns.length === 2);
    await talk.resume();
    assert.deepEqual(said(talk), [
      ['a', 'Zero.'],
      ['b', 'One.'],
    ]);
    assert.deepEqual(errors, []);
    await Promise.all([talk.close(), other.talk.close()]);
  });

  test('is sent whole, also if its entries were read before the turn', async () => {
    const script: Reply[] = [{ text: 'Zero.' }, { text: 'One.' }, { text: 'Two.' }];
    await using server = await startModelServer({ script });
    const store = memoryStore();
    const { talk } = talkOn(server, store);
    await talk.send('a');
    const other = talkOn(server, store);
    await other.talk.open(talk.session?.id);
    await other.talk.send('between');
    await talk.session?.refresh();
    await talk.send('c');
    assert.match(JSON.stringify(server.requests.at(-1)?.body), /between.*One\./);
    assert.deepEqual(
      said(talk).map(([user]) => user),
      ['a', 'between', 'c'],
    );
    await Promise.all([talk.close(), other.talk.close()]);
  });
});
