import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { JsonObject } from '@toolfold/core/internal/values/json.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { screenOf } from '../../src/events/screen.ts';
import { inboxMessage } from '../../src/options/inbox.ts';
import type { AskedUnknownCall, UnknownCall } from '../../src/options/options.ts';
import { memoryStore, type SessionStore } from '../../src/sessions.ts';
import { eventsOf } from '../../src/state/rebuilt-events.ts';
import { collect, ended } from '../agent.test-support.ts';
import { agentIn, type Done, effectGroup } from '../log/session-talk.test-support.ts';
import { LEAD, LEAF, leftTeam } from '../subagents/left-teams.test-support.ts';
import { until } from '../subagents/until.test-support.ts';

const limited = { timeout: 60_000 };
const [OF_LEAD, OF_LEAF] = [`${LEAD}/e`, `${LEAD}/${LEAF}/e`];
const IDS = ['e', OF_LEAD, OF_LEAF];

/** An agent that goes on with a left team, and asks a user who does not answer. */
async function asking(context: TestContext, answer?: (call: UnknownCall) => 'leave' | undefined) {
  const team = await leftTeam(context);
  const asked = new Map<string, AbortSignal>();
  const agent = await team.agent({
    onUnknown: ({ signal, ...call }: AskedUnknownCall) => {
      asked.set(call.id, signal);
      const choice = answer?.(call);
      return choice ? Promise.resolve({ choice }) : new Promise<never>(() => {});
    },
  });
  const stop = new AbortController();
  const events = collect(agent.resume({ signal: stop.signal }));
  const shown = () => team.server.requests.map(({ raw }) => raw).join('\n');
  return { team, agent, asked, events, shown, stop };
}

describe('promise 58: unknown calls that another process decides about', () => {
  test(
    'promise 58: the ids are those that it lists, also of subagents, and the questions here are withdrawn',
    limited,
    async (context) => {
      const { team, asked, events, shown } = await asking(context);
      await using _ = team;
      const other = await team.agent();
      const listed = (await other.unknown()).map(({ id }) => id);
      assert.deepEqual(listed.toSorted(), IDS.toSorted());
      await team.store.post('s', inboxMessage('unknown', { none: { choice: 'again' } }));
      const wrong: JsonObject = {
        e: { choice: 'twice' },
        [OF_LEAD]: null,
        [OF_LEAF]: { choice: 'again', note: 1 },
      };
      await team.store.post('s', { id: 'wrong', kind: 'unknown', body: wrong });
      await team.store.post(
        's',
        inboxMessage('unknown', {
          e: { choice: 'leave' },
          [OF_LEAD]: { choice: 'happened', note: 'Seen.' },
          [OF_LEAF]: { choice: 'again' },
        }),
      );
      // The first decision holds.
      await team.store.post('s', inboxMessage('unknown', { e: { choice: 'again' } }));
      assert.equal(ended(await events).text, 'All done.');
      assert.deepEqual(team.done.toSorted(), ['read:4', 'send:3']);
      assert.match(shown(), /"note\\*":\\*"Seen\./);
      assert.ok([...asked.values()].every(({ aborted }) => aborted));
      assert.deepEqual(await (await team.agent()).unknown(), []);
    },
  );

  for (const choice of ['leave', undefined] as const)
    test(`its outcome stays unknown on the screen, with the decision ${choice}`, async (context) => {
      const team = await leftTeam(context);
      await using _ = team;
      const agent = await team.agent();
      const unknown = choice ? Object.fromEntries(IDS.map((id) => [id, { choice }])) : {};
      const events = await collect(agent.resume({ unknown }));
      const failures = events.filter(({ type }) => type === 'failure');
      assert.deepEqual(
        failures.map((event) => event.type === 'failure' && event.isUnknown),
        [true],
      );
      const screen = screenOf(eventsOf(await team.store.read('s')));
      const calls = screen.turns.flatMap(({ blocks }) =>
        blocks.flatMap((block) => (block.kind === 'call' ? [block] : [])),
      );
      assert.equal(calls.find(({ id }) => id === 'e')?.status, 'unknown');
    });

  test('promise 58: a decision waits for its question', limited, async (context) => {
    const team = await leftTeam(context);
    await using _ = team;
    const taken = Promise.withResolvers<void>();
    const { look, read } = team.store;
    const store: SessionStore = {
      ...team.store,
      look: async (lease) => {
        const looked = await look(lease);
        // Resolved after the session has handed the messages on.
        if (looked.messages.length > 0) setImmediate(taken.resolve);
        return looked;
      },
      // The subagent begins when its decision is here.
      read: async (id, options) => {
        if (id.endsWith('/x')) await taken.promise;
        return read(id, options);
      },
    };
    const asked: string[] = [];
    const agent = await team.agent({
      store,
      onUnknown: async ({ id }) => {
        asked.push(id);
        return { choice: 'leave' };
      },
    });
    await store.post('s', inboxMessage('unknown', { [OF_LEAF]: { choice: 'again' } }));
    assert.equal(ended(await collect(agent.resume())).text, 'All done.');
    assert.deepEqual(asked.toSorted(), ['e', OF_LEAD].toSorted());
    assert.deepEqual(team.done.toSorted(), ['read:4', 'send:3']);
  });

  test(
    'promise 58: a decision here counts before a later one of another process',
    limited,
    async (context) => {
      const { team, asked, events, shown } = await asking(context, ({ id }) =>
        id === 'e' ? undefined : 'leave',
      );
      await using _ = team;
      await until(context, () => asked.size === 3);
      const again = Object.fromEntries(
        [OF_LEAD, OF_LEAF].map((id) => [id, { choice: 'again' as const }]),
      );
      await team.store.post('s', inboxMessage('unknown', again));
      await team.store.post('s', inboxMessage('unknown', { e: { choice: 'happened' } }));
      assert.equal(ended(await events).text, 'All done.');
      assert.deepEqual(team.done, ['read:4']);
      assert.match(shown(), /has taken effect/);
    },
  );

  test(
    'a decision may also go to the session of the subagent, by the id there',
    limited,
    async (context) => {
      const { team, asked, events } = await asking(context, ({ id }) =>
        id === OF_LEAF ? undefined : 'leave',
      );
      await using _ = team;
      await until(context, () => asked.has(OF_LEAF));
      await team.store.post(
        `s/${LEAD}/${LEAF}`,
        inboxMessage('unknown', { e: { choice: 'again' } }),
      );
      assert.equal(ended(await events).text, 'All done.');
      assert.ok(asked.get(OF_LEAF)?.aborted);
      assert.deepEqual(team.done.toSorted(), ['read:4', 'send:3']);
    },
  );

  test('a cancelled turn withdraws the questions, and ends', limited, async (context) => {
    const { team, asked, events } = await asking(context);
    await using _ = team;
    await until(context, () => asked.size === 3);
    await team.store.post('s', inboxMessage('cancel', {}));
    const all = await events;
    assert.equal(ended(all).reason, 'cancelled');
    assert.ok([...asked.values()].every(({ aborted }) => aborted));
    assert.ok(!all.some(({ type }) => type === 'warning'));
    assert.deepEqual(
      team.done.filter((one) => one !== 'read:4'),
      [],
    );
  });

  test(
    'promise 58: a decision of an earlier turn does not hold for a later call with its id',
    limited,
    async () => {
      const taken = Promise.withResolvers<void>();
      const calls = [{ ...DISPATCH.call('work__send', { n: 1 }), id: 'e' }];
      await using server = await startModelServer({
        script: [{ text: 'Hello.', hold: taken.promise }, { calls }, { text: 'All done.' }],
      });
      const store = memoryStore();
      const { look } = store;
      store.look = async (lease) => {
        const looked = await look(lease);
        if (looked.messages.length > 0) setImmediate(taken.resolve);
        return looked;
      };
      const done: Done = [];
      const asked: string[] = [];
      const agent = await agentIn(store, server, {
        fold: { strategy: 'dispatch', groups: [effectGroup(done)] },
        agent: {
          onUnknown: async ({ id }) => {
            asked.push(id);
            return { choice: 'leave' };
          },
        },
      });
      await store.post('s', inboxMessage('unknown', { e: { choice: 'again' } }));
      await collect(agent.send('Hi.'));
      const { append } = store;
      // The result of the call is lost.
      store.append = async (entries, options) => {
        if (!entries.some(({ kind }) => kind === 'result')) return append(entries, options);
        store.append = append;
        throw new ToolfoldError('session-lost', 'The session is lost.', 'Open it again.');
      };
      assert.equal(ended(await collect(agent.send('Send it.'))).reason, 'error');
      assert.equal(ended(await collect(agent.resume())).text, 'All done.');
      assert.deepEqual([asked, done], [['e'], ['send:1']]);
    },
  );
});
