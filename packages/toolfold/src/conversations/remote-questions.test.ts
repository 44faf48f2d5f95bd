import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { SessionStore } from '@toolfold/agent/internal/sessions/store.ts';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { createSubagents } from '@toolfold/agent/internal/tasks/tool.ts';
import { collect, ended } from '@toolfold/agent/test/agent.test-support.ts';
import { agentIn } from '@toolfold/agent/test/log/session-talk.test-support.ts';
import { leftTeam } from '@toolfold/agent/test/subagents/left-teams.test-support.ts';
import { scripted, send } from '@toolfold/agent/test/subagents/team.test-support.ts';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import type { ToolCallOptions } from '@toolfold/core/internal/tool/call-host.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { Settings } from '../agents/settings.ts';
import { createAsker } from '../questions/asker.ts';
import type { Answer, Question } from '../questions/question.ts';
import { Conversation } from './conversation.ts';
import type { AgentSource } from './conversation-options.ts';

const limited = { timeout: 60_000 };

/** A chat that follows the session `s`, and what its user is asked. */
async function follower(
  context: TestContext,
  store: SessionStore,
  answer: (question: Question) => Answer,
  unknown?: AgentSource['unknown'],
) {
  const asked: Question[] = [];
  const errors: unknown[] = [];
  const asker = createAsker({
    ...{ note: () => {}, signal: new AbortController().signal },
    ask: async (question) => {
      asked.push(question);
      return answer(question);
    },
  });
  const settings = new Settings({ set: { modelName: () => 'a/b', settings: {} }, flags: {} });
  const talk = new Conversation({
    ...{ store, folder: '/work', settings, asker },
    agents: {
      prepare: () => assert.fail(),
      apply: async () => {},
      events: (turn) => turn,
      ...(unknown ? { unknown } : {}),
    },
    watch: { onChange: () => {}, onError: (error) => errors.push(error) },
  });
  context.after(() => talk.close());
  await talk.open('s');
  return { asked, errors };
}

describe('a chat that follows the turn of another process', () => {
  test('is asked about unknown calls, and the first decision holds', limited, async (context) => {
    const team = await leftTeam(context);
    await using _ = team;
    const holder = await team.agent({ onUnknown: () => new Promise<never>(() => {}) });
    const turn = collect(holder.resume());
    const { asked, errors } = await follower(
      context,
      team.store,
      ({ call }) => (call?.subagent === undefined ? { choice: 'again' } : { choice: 'leave' }),
      async () => (await team.agent()).unknown(),
    );
    assert.equal(ended(await turn).text, 'All done.');
    assert.deepEqual(
      asked.map(({ kind, call }) => [kind, call?.name, call?.subagent]).toSorted(),
      [
        ['unknown', 'work__send', undefined],
        ['unknown', 'work__send', 'a'],
        ['unknown', 'work__send', 'a/x'],
      ].toSorted(),
    );
    assert.deepEqual(
      team.done.toSorted(),
      ['read:4', 'send:1'],
      'only what was said again runs again',
    );
    assert.deepEqual(errors, []);
  });

  for (const level of [0, 1]) {
    test(
      `is asked what a server asks ${level === 0 ? 'the agent' : 'a subagent'}`,
      limited,
      async (context) => {
        const work = { calls: [DISPATCH.call('odd__work', {})] };
        await using server = await startModelServer({
          script: scripted(
            [level === 0 ? work : send([{ id: 't', task: 'x' }]), { text: 'Done.' }],
            ({ step }) => (step > 0 ? { text: 'Done.' } : work),
          ),
        });
        const given = Promise.withResolvers<unknown>();
        const execute = async (_: unknown, { host, signal }: ToolCallOptions) => {
          const fields = [{ name: 'name', type: 'text' as const, isRequired: true }];
          given.resolve(
            await host?.elicit?.({
              ...{ server: 'odd', message: 'Who?', fields, signal: signal ?? assert.fail() },
            }),
          );
          return 'ok';
        };
        const tool = { name: 'work', inputSchema: { type: 'object' as const }, execute };
        const groups = [{ groupId: 'mcp:odd', toolNames: ['work'], loader: async () => [tool] }];
        const { tools, ...subagents } = createSubagents();
        const store = memoryStore();
        const holder = await agentIn(store, server, {
          fold: { strategy: 'dispatch', groups, tools: { ...tools } as never },
          agent: {
            subagents: { tools, ...subagents },
            approvals: { mode: 'never' },
            elicitation: true,
          },
        });
        const turn = collect(holder.send('Go.'));
        const { asked, errors } = await follower(context, store, () => ({
          ...{ choice: 'yes', content: { name: 'Ada' } },
        }));
        assert.deepEqual(await given.promise, { action: 'accept', content: { name: 'Ada' } });
        assert.equal(ended(await turn).text, 'Done.');
        const [{ kind, subject, fields } = assert.fail(), ...more] = asked;
        assert.deepEqual([kind, fields?.length, more.length], ['form', 1, 0]);
        assert.match(subject, level === 0 ? /^The server odd asks/ : /^\[t\] The server odd asks/);
        assert.deepEqual(errors, []);
      },
    );
  }
});
