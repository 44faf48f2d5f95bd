import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { collect, ended } from '../../test/agent.test-support.ts';
import {
  LEAD,
  LEAF,
  type LeftTeam,
  leftTeam,
} from '../../test/subagents/left-teams.test-support.ts';
import { endsIn, reportIn, taskIn } from '../../test/subagents/team.test-support.ts';
import type { UnknownCall } from '../options/options.ts';
import type { SessionStore } from '../sessions.ts';
import { createSubagents } from '../tasks/tool.ts';

const limited = { timeout: 60_000 };
const sent = (id: string, n: number, more: object = {}) => ({
  ...{ id, name: 'work__send', arguments: { n } },
  ...more,
});
const OWN = sent('e', 1);
const OF_LEAD = sent(`${LEAD}/e`, 2, { subagent: 'a' });
const OF_LEAF = sent(`${LEAD}/${LEAF}/e`, 3, { subagent: 'a/x' });

const sorted = (calls: readonly UnknownCall[]) => calls.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Everything in a store. */
async function contentOf(store: SessionStore, parent?: string): Promise<unknown[]> {
  const records = await store.list(parent === undefined ? {} : { parent });
  const all: unknown[] = [];
  for (const record of records)
    all.push([record, await store.read(record.id), await contentOf(store, record.id)]);
  return all;
}

/** What the model of a task was sent last; undefined for the agent's own. */
function shown({ server }: LeftTeam, task: string | undefined): string {
  return server.requests.findLast((request) => taskIn(request) === task)?.raw ?? '';
}

describe('promise 58: unknown calls of subagents', () => {
  test(
    'promise 58: are listed with those of the agent, at any depth, and nothing is written',
    limited,
    async (context) => {
      await using team = await leftTeam(context);
      const before = await contentOf(team.store);
      const agent = await team.agent();
      assert.deepEqual(sorted(await agent.unknown()), [OWN, OF_LEAD, OF_LEAF]);
      assert.deepEqual(await contentOf(team.store), before);
    },
  );

  const OUTCOMES = {
    again: /\\?"done\\?":\\?"send/,
    happened: /The user says that it has taken effect.*Seen\./,
    leave: /outcome is unknown/,
  } as const;
  const CHOICES = ['again', 'happened', 'leave'] as const;
  for (const [index, first] of CHOICES.entries())
    test(
      `promise 58: each is decided by its id, although its call ids are the same: ${first} first`,
      limited,
      async (context) => {
        await using team = await leftTeam(context);
        const agent = await team.agent();
        const choices = [0, 1, 2].map((n) => CHOICES[(index + n) % 3] ?? first);
        const calls = [OWN, OF_LEAD, OF_LEAF];
        const unknown = Object.fromEntries(
          calls.map(({ id }, n) => [id, { choice: choices[n] ?? first, note: 'Seen.' }]),
        );
        const events = await collect(agent.resume({ unknown }));
        assert.equal(ended(events).text, 'All done.');
        assert.deepEqual(reportIn(events)?.summary.done, 3);
        const again = `send:${choices.indexOf('again') + 1}`;
        assert.deepEqual(team.done.toSorted(), ['read:4', again]);
        for (const [n, task] of [undefined, 'lead', 'leaf'].entries())
          assert.match(shown(team, task), OUTCOMES[choices[n] ?? 'leave'], `${task}`);
        assert.deepEqual(await agent.unknown(), []);
        assert.deepEqual(await (await team.agent()).unknown(), []);
      },
    );

  test('promise 58: are not run again without a choice', limited, async (context) => {
    await using team = await leftTeam(context);
    const agent = await team.agent();
    await collect(agent.resume({ unknown: { toString: { choice: 'again' as const } } }));
    assert.deepEqual(team.done, ['read:4']);
  });

  test(
    'are given to `onUnknown` with the same names, unless a choice is given',
    limited,
    async (context) => {
      await using team = await leftTeam(context);
      const asked: UnknownCall[] = [];
      const agent = await team.agent({
        onUnknown: async ({ signal: _, startedAt: __, ...call }) => {
          asked.push(call);
          return { choice: 'again' };
        },
      });
      await collect(agent.resume({ unknown: { [OF_LEAD.id]: { choice: 'happened' } } }));
      assert.deepEqual(sorted(asked), [OWN, OF_LEAF]);
      assert.deepEqual(team.done.toSorted(), ['read:4', 'send:1', 'send:3']);
    },
  );

  test(
    'promise 58: a subagent that has worked and has no session any more is listed, and does not begin again',
    limited,
    async (context) => {
      await using team = await leftTeam(context);
      await team.store.remove(`s/${LEAD}`);
      const agent = await team.agent();
      const [other, ...own] = sorted(await agent.unknown()).reverse();
      assert.deepEqual(own, [OWN]);
      const { error, ...call } = other ?? assert.fail();
      const tasks = [{ id: 'a', task: 'lead' }];
      assert.deepEqual(call, { id: LEAD, name: 'subagents', arguments: { tasks } });
      assert.match(error ?? '', /session .* is missing/);
      const requests = team.server.requests.length;
      const choice = { choice: 'again' } as const;
      const events = await collect(agent.resume({ unknown: { [LEAD]: choice } }));
      assert.deepEqual(endsIn(events), { q: 'done', a: 'failed', z: 'done' });
      assert.match(reportIn(events)?.results[1]?.error ?? '', /is missing/);
      const worked = team.server.requests.slice(requests).map(taskIn);
      assert.deepEqual(new Set(worked), new Set([undefined, 'late']));
      assert.deepEqual(team.done, []);
    },
  );

  const broken: readonly (readonly [string, (store: SessionStore) => SessionStore['read']])[] = [
    [
      'damaged',
      ({ read }) =>
        async (id, options) =>
          (await read(id, options)).map((entry) =>
            id.endsWith('/x') && entry.kind === 'start' ? { ...entry, body: null as never } : entry,
          ),
    ],
    [
      'not readable',
      ({ read }) =>
        async (id, options) => {
          if (id.endsWith('/x')) throw new Error('The disk is gone.');
          return read(id, options);
        },
    ],
  ];
  for (const [name, readOf] of broken)
    test(
      `promise 58: where a session is ${name}, the others are listed, and it says so`,
      limited,
      async (context) => {
        await using team = await leftTeam(context);
        const agent = await team.agent({ store: { ...team.store, read: readOf(team.store) } });
        const [own, lead, leaf] = sorted(await agent.unknown());
        assert.deepEqual([own, lead], [OWN, OF_LEAD]);
        const { error, ...call } = leaf ?? assert.fail();
        const tasks = [{ id: 'x', task: 'leaf' }];
        const id = `${LEAD}/${LEAF}`;
        assert.deepEqual(call, { id, name: 'subagents', arguments: { tasks }, subagent: 'a' });
        assert.match(error ?? '', /is not as an agent writes it|The disk is gone/);
        const events = await collect(agent.resume());
        assert.deepEqual(endsIn(events), { q: 'done', a: 'done', z: 'done' });
        // The user reads why. The model, which can change nothing about a store, does not.
        assert.match(shown(team, 'lead'), /Its session cannot be used/);
        assert.doesNotMatch(shown(team, 'lead'), /as an agent writes it|The disk is gone/);
        assert.deepEqual(team.done, []);
      },
    );

  test(
    'promise 58: where an engine keeps no sessions, the call of the tool itself is unknown',
    limited,
    async (context) => {
      await using team = await leftTeam(context);
      const start = () => assert.fail('started again');
      const subagents = createSubagents({ depth: 2, engine: { start } });
      const agent = await team.agent({ subagents });
      const listed = await agent.unknown();
      assert.deepEqual(
        listed.map(({ id, name }) => `${id} ${name}`),
        ['toolu_team subagents', 'e work__send'],
      );
      const events = await collect(agent.resume());
      assert.equal(ended(events).reason, 'done');
      assert.match(shown(team, undefined), /outcome is unknown/);
    },
  );
});
