import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import { jsonSchema, type ModelMessage, type ToolSet } from 'ai';
import { begin, collect, ended, type World } from '../agent.test-support.ts';
import { assertEvents, callsIn } from '../broken-turns.test-support.ts';

const inputSchema = jsonSchema({ type: 'object' });
const ran = { inputSchema, execute: () => 'ran' };
const tools = { pick: { inputSchema }, kept: ran, gone: ran } as unknown as ToolSet;
const approvals = { mode: 'always' as const };

/** The tools of the process that receives the answer, by how they differ from the first process. */
const ELSEWHERE: Readonly<Record<string, NonNullable<World['fold']>>> = {
  'the same tools': { tools: tools as never },
  'one of them': { tools: { kept: ran } as never },
  'no tools': { tools: {} as never, groups: [] },
  'a role without tools': { tools: tools as never, roles: { chat: { tools: false } } },
  'a server that is down': {
    tools: { kept: ran } as never,
    groups: [
      {
        groupId: 'mcp:down',
        prefix: false,
        toolNames: ['gone'],
        loader: async () => Promise.reject(new Error('down')),
      },
    ],
  },
};

const STRATEGIES = ['dispatch', 'eager', 'native', false] as const;
const ROWS = combinations({
  name: Object.keys(ELSEWHERE),
  strategy: STRATEGIES,
  endpoint: ENDPOINTS.slice(0, 2),
  approved: [true, false],
});

describe(`each approved or denied call gets a result, even if its tool has changed or is gone, ${selection}`, () => {
  for (const [name, elsewhere] of Object.entries(ELSEWHERE))
    for (const strategy of STRATEGIES)
      test(`${name}, ${strategy}`, async () => {
        const rows = ROWS.filter((row) => row.name === name && row.strategy === strategy);
        for (const { endpoint, approved } of rows) {
          const calls = ['kept', 'gone', 'pick'].map((tool) => ({ name: tool, arguments: {} }));
          await using server = await startModelServer({
            script: [{ calls }, { text: 'I see.' }],
          });
          const first = begin(server, {
            endpoint,
            fold: { strategy, tools: tools as never },
            agent: { approvals },
          });
          const events = await collect(first.talk.send('Go.'));
          assert.equal(first.talk.pending.length, 3);
          const messages: ModelMessage[] = JSON.parse(JSON.stringify(first.talk.messages));
          const { roles } = elsewhere;
          const { talk } = begin(server, {
            endpoint,
            fold: { strategy, ...elsewhere },
            agent: { approvals, messages, ...(roles ? { role: 'chat', roles } : {}) },
          });
          // A tool that has changed is asked about a second time.
          for (let times = 0; times < 2 && talk.pending.length > 0; times++) {
            const answers = talk.pending.map(({ approvalId }) => [approvalId, { approved }]);
            events.push(...(await collect(talk.answer(Object.fromEntries(answers)))));
          }
          assert.equal(ended(events).reason, 'done', JSON.stringify(ended(events).error));
          for (const results of callsIn(talk.messages).values()) assert.equal(results.length, 1);
          assertEvents(talk.messages, events);
        }
      });
});
