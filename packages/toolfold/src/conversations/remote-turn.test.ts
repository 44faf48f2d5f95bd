import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from '@toolfold/agent/internal/sessions/session.ts';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { collect, ended } from '@toolfold/agent/test/agent.test-support.ts';
import {
  endsIn,
  scripted,
  send,
  tasks,
  team,
} from '@toolfold/agent/test/subagents/team.test-support.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { talkOn } from '../../test/conversations/conversation.test-support.ts';
import { RemoteTurn } from './remote-turn.ts';

const hold = new Promise<never>(() => {});
const limited = { timeout: 60_000 };

test(
  'a turn of another process is cancelled there, and not by who only leaves',
  limited,
  async () => {
    await using server = await startModelServer({
      script: [{ text: 'Never.', hold }, { text: 'Two.' }],
    });
    const store = memoryStore();
    const { talk: holder } = talkOn(server, store);
    const turn = holder.send('a');
    while (server.requests.length < 1) await new Promise(setImmediate);
    const id = holder.session?.id;
    const leaving = talkOn(server, store);
    await leaving.talk.open(id);
    await leaving.until(() => leaving.talk.state === 'elsewhere');
    await leaving.talk.close();
    const { talk, until, errors } = talkOn(server, store);
    assert.equal(talk.remote.canCancel, false);
    await talk.open(id);
    await until(() => talk.state === 'elsewhere');
    assert.deepEqual(
      [holder.state, talk.canCancel, talk.remote.canCancel],
      ['running', false, true],
    );
    assert.ok(talk.entries.length > 0);
    await Promise.all([talk.cancel(), talk.cancel()]);
    assert.equal(talk.remote.canCancel, false);
    assert.equal((await turn).reason, 'cancelled');
    await until(() => talk.state === 'idle');
    // It means that turn and no later one.
    assert.equal((await holder.send('b')).reason, 'done');
    assert.deepEqual(errors, []);
    await Promise.all([talk.close(), holder.close()]);
  },
);

test('a subagent is stopped by its name, where it works', limited, async () => {
  for (const isElsewhere of [true, false]) {
    const script = scripted([send(tasks(2)), { text: 'Done.' }], ({ task }) =>
      task === 'task 1' ? { text: 'Never.', hold } : { text: 'Ok.' },
    );
    await using server = await startModelServer({ script });
    const store = memoryStore();
    const session = await createSession(store, { id: 's' });
    const { talk: agent } = team(server, {}, { agent: { session } });
    const agents = {
      prepare: async () => () => agent,
      apply: async () => {},
      events: <T>(turn: T) => turn,
    };
    const { talk, until } = talkOn(server, store, isElsewhere ? {} : { agents });
    await talk.open('s');
    assert.equal(await talk.cancelSubagent('toolu_team/t1'), false);
    const turn = isElsewhere ? collect(agent.send('Go.')) : talk.send('Go.');
    const calls = () => talk.view.turns.flatMap(({ blocks }) => blocks);
    const children = () =>
      calls().flatMap((block) => (block.kind === 'call' ? block.children : []));
    await until(() => children().some(({ task, turns }) => task === 't1' && turns.length > 0));
    assert.equal(talk.state, isElsewhere ? 'elsewhere' : 'running');
    assert.equal(await talk.cancelSubagent('toolu_team/t1'), true);
    const end = await turn;
    if (Array.isArray(end)) {
      assert.equal(ended(end).text, 'Done.');
      assert.deepEqual(endsIn(end), { t1: 'cancelled', t2: 'done' });
    } else assert.equal(end.reason, 'done');
    await until(() => talk.state === 'idle');
    const states = children().map(({ task, status }) => [task, status]);
    assert.deepEqual(states, [
      ['t1', 'cancelled'],
      ['t2', 'done'],
    ]);
    await talk.close();
  }
});

test('what cannot be posted is said, and can be tried again', async () => {
  let posts = 0;
  const store = {
    post: async () => {
      posts += 1;
      if (posts === 1) throw new Error('The disk is full.');
    },
  };
  const turn = new RemoteTurn(() => ({ id: 's', store: store as never }));
  await assert.rejects(turn.cancel(), /disk is full/);
  assert.equal(turn.canCancel, true);
  assert.equal(await turn.cancel(), true);
  assert.deepEqual([turn.canCancel, posts], [false, 2]);
  turn.ended();
  assert.equal(turn.canCancel, true);
  assert.equal(await new RemoteTurn(() => undefined).cancel(), false);
});
