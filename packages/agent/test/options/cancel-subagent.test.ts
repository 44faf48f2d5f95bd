import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { AgentEvent } from '../../src/events/events.ts';
import { inboxMessage } from '../../src/options/inbox.ts';
import { memoryStore } from '../../src/sessions.ts';
import { createSubagents } from '../../src/tasks/tool.ts';
import { ended } from '../agent.test-support.ts';
import { agentIn } from '../log/session-talk.test-support.ts';
import { endsIn, innerEvents, scripted, send } from '../subagents/team.test-support.ts';

/** Ends a turn that hangs. Far longer than any of these turns takes. */
const LIMIT = 20_000;

describe('another process cancels one subagent', () => {
  const CASES = {
    'of the agent': ['toolu_team/b', { a: 'done', b: 'cancelled' }, {}],
    'of a subagent': ['toolu_team/a/toolu_inner/x', { a: 'done', b: 'done' }, { x: 'cancelled' }],
  } as const;
  for (const [name, [child, ends, innerEnds]] of Object.entries(CASES))
    test(name, async () => {
      const leads = ['a', 'b'].map((id) => ({ id, task: `lead ${id}` }));
      const hold = () => ({ text: 'Part', hold: new Promise<never>(() => {}) });
      const inner = send([{ id: 'x', task: 'leaf' }], {}, 'toolu_inner');
      const isNested = child.includes('inner');
      const answer = (task: string, step: number): Reply => {
        if (task === 'leaf') return hold();
        if (task === 'lead a' && isNested && step === 0) return inner;
        return task === 'lead b' && !isNested ? hold() : { text: 'Ok.' };
      };
      await using server = await startModelServer({
        script: scripted([send(leads), { text: 'All done.' }], ({ task, step }) =>
          answer(task, step),
        ),
      });
      const { tools, ...subagents } = createSubagents({ depth: 2 });
      const store = memoryStore();
      const agent = await agentIn(store, server, {
        fold: { tools: tools as never },
        agent: { subagents: { tools, ...subagents } },
      });
      const events: AgentEvent[] = [];
      let isSent = false;
      const asks = (event: AgentEvent): boolean =>
        event.type === 'subagent' &&
        ((event.child === child && event.event.type === 'request') || asks(event.event));
      for await (const event of agent.send('Go.', { signal: AbortSignal.timeout(LIMIT) })) {
        events.push(event);
        if (isSent || !asks(event)) continue;
        isSent = true;
        await store.post('s', inboxMessage('cancel-subagent', { child: `${child}/nobody` }));
        for (const _ of [1, 2]) await store.post('s', inboxMessage('cancel-subagent', { child }));
      }
      assert.equal(ended(events).text, 'All done.');
      assert.deepEqual(endsIn(events), ends);
      assert.deepEqual(endsIn(innerEvents(events)), innerEnds);
    });
});
