import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { type ToolSet, tool } from 'ai';
import { z } from 'zod';
import type { ApprovalRequest } from '../src/events/user-requests.ts';
import { begin, collect, ended } from './agent.test-support.ts';

const WRITTEN = { to: 'bob', dryRun: true };
/** One call of a group that has loaded by then, and one whose group has not loaded. */
const first: Reply = {
  calls: [DISPATCH.call('early__ping', {}), DISPATCH.call('mail__send', WRITTEN)],
};
const single: Reply = { calls: [DISPATCH.call('mail__send', WRITTEN)] };

interface Schema {
  readonly schema: z.ZodType;
  /** What the user is shown at last, and what runs. */
  readonly shown: object;
  readonly ran: unknown;
}

const SCHEMAS: Readonly<Record<string, Schema>> = {
  'strips a key': {
    schema: z.object({ to: z.string() }),
    shown: { to: 'bob' },
    ran: { to: 'bob' },
  },
  'makes a map': {
    schema: z.object({ to: z.string().transform((to) => new Map([['name', to]])) }),
    shown: WRITTEN,
    ran: { to: new Map([['name', 'bob']]) },
  },
};

function worldOf(schema: z.ZodType, runs: unknown[]) {
  const ping = tool({ inputSchema: z.object({}), execute: () => 'pong' }) as ToolSet[string];
  const send = tool({
    inputSchema: schema,
    execute: (input) => {
      runs.push(input);
      return 'sent';
    },
  }) as ToolSet[string];
  const groups = [
    { groupId: 'early', toolNames: ['ping'], loader: async () => ({ ping }) },
    { groupId: 'mail', toolNames: ['send'], loader: async () => ({ send }) },
  ];
  return { groups, tools: {} as never, strategy: 'dispatch' as const };
}

describe('what the user of an agent approves is what runs', () => {
  for (const [name, { schema, shown, ran }] of Object.entries(SCHEMAS)) {
    for (const reply of [single, first]) {
      const where = reply === single ? 'a single call' : 'a later call';
      test(`promise 66: a schema that ${name}, ${where}: asked while the turn waits`, async () => {
        const runs: unknown[] = [];
        const asked: ApprovalRequest[] = [];
        await using server = await startModelServer({
          script: ({ raw }) => (raw.includes('"sent') ? { text: 'Done.' } : reply),
        });
        const ask = async (request: ApprovalRequest) => {
          if (request.name === 'mail__send') asked.push(request);
          return { approved: asked.length < 4 };
        };
        const { talk } = begin(server, {
          fold: worldOf(schema, runs),
          agent: { approvals: { mode: 'always', ask } },
        });
        const events = await collect(talk.send('Go.'));
        assert.deepEqual(runs, [ran], JSON.stringify(ended(events)));
        assert.ok(asked.length <= 2, `asked ${asked.length} times`);
        assert.deepEqual(asked.at(-1)?.arguments, shown);
      });
    }

    test(`promise 66: a schema that ${name}: asked again at once, without another answer of the model`, async () => {
      const runs: unknown[] = [];
      const asked: ApprovalRequest[] = [];
      await using server = await startModelServer({
        script: ({ raw }) => (raw.includes('"sent') ? { text: 'Done.' } : first),
      });
      const ask = async (request: ApprovalRequest) => {
        asked.push(request);
        return { approved: true };
      };
      const { talk } = begin(server, {
        fold: worldOf(schema, runs),
        agent: { approvals: { mode: 'always', allow: ['early__*'], ask } },
      });
      await collect(talk.send('Go.'));
      assert.deepEqual(runs, [ran]);
      assert.equal(server.requests.length, 2);
      assert.deepEqual(
        asked.map((request) => request.arguments),
        [WRITTEN, shown],
      );
    });
  }

  test('promise 66: with answers that are given later, the question is opened again with what changed', async () => {
    const runs: unknown[] = [];
    const { schema } = SCHEMAS['strips a key'] ?? assert.fail();
    await using server = await startModelServer({
      script: ({ raw }) => (raw.includes('"sent') ? { text: 'Done.' } : first),
    });
    const { talk } = begin(server, {
      fold: worldOf(schema, runs),
      agent: { approvals: { mode: 'always' } },
    });
    await collect(talk.send('Go.'));
    const yes = () =>
      Object.fromEntries(talk.pending.map(({ approvalId }) => [approvalId, { approved: true }]));
    let rounds = 0;
    while (talk.pending.length > 0 && rounds < 4) {
      await collect(talk.answer(yes()));
      rounds++;
    }
    assert.deepEqual(runs, [{ to: 'bob' }]);
    assert.ok(rounds <= 3, `asked ${rounds} times`);
  });
});
