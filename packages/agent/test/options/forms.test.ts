// test: slow
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SdkToolGroup } from '@toolfold/ai-sdk';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import type { ElicitationAnswer, ToolCallOptions } from '@toolfold/core/internal/tool/call-host.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { AgentEvent } from '../../src/events/events.ts';
import { inboxMessage } from '../../src/options/inbox.ts';
import type { AgentOptions } from '../../src/options/options.ts';
import { memoryStore, type SessionStore } from '../../src/sessions.ts';
import { createSubagents } from '../../src/tasks/tool.ts';
import { ended } from '../agent.test-support.ts';
import { agentIn } from '../log/session-talk.test-support.ts';
import { scripted, send } from '../subagents/team.test-support.ts';

/** Ends a turn that hangs. Far longer than any of these turns takes. */
const LIMIT = 20_000;
const ADA = { action: 'accept', content: { name: 'Ada' } } as const;

/** A server whose tool asks the user. */
const ASKING: SdkToolGroup = {
  groupId: 'mcp:odd',
  toolNames: ['work'],
  loader: async () => [
    {
      name: 'work',
      inputSchema: { type: 'object' },
      execute: (_: unknown, { host, signal }: ToolCallOptions) =>
        host?.elicit?.({
          ...{ server: 'odd', message: 'Who?', fields: [] },
          signal: signal ?? assert.fail(),
        }),
    },
  ],
};

/** A turn in which a subagent of this level (0: the agent itself) has a form to be answered. */
async function turn(
  level: number,
  elicitation: AgentOptions['elicitation'],
  onForm: (store: SessionStore, id: string) => Promise<void>,
): Promise<{ events: AgentEvent[]; answers: (readonly [string, string])[] }> {
  const work = { calls: [DISPATCH.call('odd__work', {})] };
  const order = (at: number) =>
    at === level ? work : send([{ id: `t${at}`, task: `${at + 1}` }], {}, `toolu_${at}`);
  const taken = Promise.withResolvers<void>();
  await using server = await startModelServer({
    script: scripted([order(0), { text: 'Done.', hold: taken.promise }], ({ task, step }) =>
      step > 0 ? { text: 'Done.' } : order(Number(task)),
    ),
  });
  const { tools, ...subagents } = createSubagents({ depth: 2 });
  const store = memoryStore();
  const { look } = store;
  store.look = async (lease) => {
    const looked = await look(lease);
    if (looked.messages.length > 0) setImmediate(taken.resolve);
    return looked;
  };
  const agent = await agentIn(store, server, {
    fold: { strategy: 'dispatch', groups: [ASKING], tools: tools as never },
    agent: { elicitation, subagents: { tools, ...subagents } },
  });
  const events: AgentEvent[] = [];
  const answers: (readonly [string, string])[] = [];
  for await (const event of agent.send('Go.', { signal: AbortSignal.timeout(LIMIT) })) {
    events.push(event);
    let inner: AgentEvent = event;
    while (inner.type === 'subagent') inner = inner.event;
    if (inner.type === 'elicitation') await onForm(store, inner.elicitationId);
    if (inner.type === 'elicitation-answered') answers.push([inner.elicitationId, inner.action]);
  }
  assert.deepEqual(agent.elicitations, []);
  assert.equal(ended(events).reason, 'done');
  return { events, answers };
}

describe('forms that another process answers', () => {
  for (const level of [0, 1, 2])
    for (const way of ['event', 'ask'] as const)
      test(`level ${level}, asked here by ${way}: the question here is withdrawn`, async () => {
        const asked: AbortSignal[] = [];
        const ask = ({ signal }: { readonly signal: AbortSignal }) => {
          asked.push(signal);
          return new Promise<never>(() => {});
        };
        const { answers } = await turn(
          level,
          way === 'ask' ? { ask } : undefined,
          async (store, id) => {
            const wrong = { action: 'maybe' } as unknown as ElicitationAnswer;
            await store.post('s', inboxMessage('form', { other: ADA, [id]: wrong }));
            await store.post('s', inboxMessage('form', { [id]: ADA }));
            await store.post('s', inboxMessage('form', { [id]: { action: 'decline' } }));
          },
        );
        assert.deepEqual(
          answers.map(([, action]) => action),
          ['accept'],
        );
        assert.ok(asked.every(({ aborted }) => aborted));
        assert.equal(asked.length, way === 'ask' ? 1 : 0);
      });

  test('reach the form of a subagent also through the session of the subagent', async () => {
    const { answers } = await turn(1, undefined, (store, id) =>
      store.post('s/toolu_0/t0', inboxMessage('form', { [id]: ADA })),
    );
    assert.equal(answers[0]?.[1], 'accept');
  });

  test('do not count after the answer here', async () => {
    const ask = async () => ({ action: 'decline' }) as const;
    const { answers } = await turn(1, { ask }, (store, id) =>
      store.post('s', inboxMessage('form', { [id]: ADA })),
    );
    assert.deepEqual(
      answers.map(([, action]) => action),
      ['decline'],
    );
  });

  test('give their values to the tool', async () => {
    const { events } = await turn(0, undefined, (store, id) =>
      store.post('s', inboxMessage('form', { [id]: ADA })),
    );
    const result = events.find((event) => event.type === 'result');
    assert.deepEqual(result?.output, ADA);
  });
});
