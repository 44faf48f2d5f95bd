import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import type { Tool } from '@toolfold/core/internal/tool/tool.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { memoryStore } from '../src/sessions.ts';
import { collect, ended } from './agent.test-support.ts';
import { free } from './log/dying-store.test-support.ts';
import { agentIn } from './log/session-talk.test-support.ts';

const chat = ENDPOINTS[2] ?? assert.fail();
const BIG = 12345678901234567890n;

/** What damages the arguments of a call, what runs, and what the user reads. */
const CALLS = {
  repaired: {
    written: '{"id":"7","tags":"[\\"a\\"]"}',
    runs: { id: 7, tags: ['a'] },
    question: /repaired: \/id: the text was read as a number; \/tags: the text was read as a list/,
    isRepaired: true,
  },
  'with an integer that no number holds': {
    written: `{"id":${BIG}}`,
    runs: { id: BIG },
    question: new RegExp(`The tool gets {"id":${BIG}}`),
    isRepaired: false,
  },
  'with such an integer as text': {
    written: `{"id":"${BIG}"}`,
    runs: { id: BIG },
    question: /repaired: \/id: the text was read as a number/,
    isRepaired: true,
  },
} as const;

for (const strategy of ['dispatch', 'eager'] as const)
  suite(`the user is asked about a damaged call, ${strategy}`, () => {
    for (const [name, { written, runs, question, isRepaired }] of Object.entries(CALLS))
      for (const isElsewhere of [false, true])
        test(`${name}, answered ${isElsewhere ? 'in another process' : 'here'}`, async () => {
          const ran: unknown[] = [];
          const target: Tool = {
            name: 't',
            takesBigints: true,
            inputSchema: {
              type: 'object',
              properties: {
                id: { type: 'integer' },
                tags: { type: 'array', items: { type: 'string' } },
              },
            },
            execute: async (input) => {
              ran.push(input);
              return 'ran';
            },
          };
          const groups = [{ groupId: 's', toolNames: ['t'], loader: async () => [target] }];
          const world = {
            endpoint: chat,
            fold: { strategy, groups, tools: {} as never },
            agent: { approvals: { mode: 'always' as const } },
          };
          await using server = await startModelServer({
            script: [{ calls: [{ name: 's__t', arguments: written }] }, { text: 'Done.' }],
          });
          const store = memoryStore();
          let talk = await agentIn(store, server, world);
          const events = await collect(talk.send('Go.'));
          const [asked] = talk.pending;
          assert.ok(asked, JSON.stringify(ended(events)));
          const shown = `${asked.reason} ${JSON.stringify(asked.arguments)}`;
          assert.match(shown, question);
          assert.match(shown, name === 'repaired' ? /"id":7/ : new RegExp(`${BIG}`));
          if (isElsewhere) {
            await free(store);
            talk = await agentIn(store, server, world);
          }
          events.push(...(await collect(talk.answer({ [asked.approvalId]: { approved: true } }))));
          assert.equal(ended(events).reason, 'done', JSON.stringify(events));
          assert.deepEqual(ran, [runs]);
          const [call] = events.filter((event) => event.type === 'call');
          assert.equal(call?.repairs !== undefined, isRepaired);
          const kept = (await store.read('s')).filter(({ kind }) => kind === 'call');
          assert.equal(JSON.stringify(kept).includes('the text was read as'), isRepaired);
        });
  });
