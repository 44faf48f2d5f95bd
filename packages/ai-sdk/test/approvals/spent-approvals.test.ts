import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, type ModelMessage, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type WithOptions } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';

const endpoint = ENDPOINTS[0] ?? assert.fail();

const ASKING: Readonly<Record<string, { with?: (name: string) => WithOptions; tool?: object }>> = {
  'the setting': { with: (name) => ({ toolApproval: { [name]: 'user-approval' } }) },
  'a hook': { with: () => ({ hooks: { beforeToolCall: () => ({ ask: true }) } }) },
  'the tool': { tool: { needsApproval: true } },
};

describe('an approval that is sent again behind the result of its call', () => {
  for (const [asking, { with: viewOf, tool: more = {} }] of Object.entries(ASKING))
    for (const name of ['find', 'crm__find'])
      for (const route of ['live', 'json'] as const)
        for (const isSameFold of [true, false])
          test(`${name}, asked by ${asking}, ${route}, ${isSameFold ? 'the same' : 'another'} fold: the warning says so, and it does not run again`, async () => {
            let runs = 0;
            const warnings: string[] = [];
            const found = tool({
              inputSchema: z.object({}),
              execute: async () => `${++runs}`,
              ...more,
            }) as ToolSet[string];
            const inGroup = name !== 'find';
            const make = () =>
              createFold<ToolSet>({
                strategy: 'dispatch',
                exposure: inGroup ? {} : { find: 'inline' },
                tools: inGroup ? {} : { find: found },
                groups: inGroup
                  ? [{ groupId: 'crm', toolNames: ['find'], loader: async () => ({ find: found }) }]
                  : [],
                onWarning: (text) => void warnings.push(text),
              });
            const call = inGroup ? DISPATCH.call(name, {}) : { name, arguments: {} };
            await using server = await startModelServer({
              script: [{ calls: [call] }, { text: 'Done.' }, { text: 'Bye.' }],
            });
            let fold = make();
            let messages: ModelMessage[] = [{ role: 'user', content: 'Go.' }];
            const say = async () => {
              if (route === 'json') messages = JSON.parse(JSON.stringify(messages));
              const fields = fold.with(modelOn(server, endpoint), viewOf?.(name));
              const result = await generateText({ ...fields, messages, stopWhen: isStepCount(3) });
              messages = [...messages, ...result.responseMessages];
              return result.content;
            };
            const content = await say();
            const asked = content.find(({ type }) => type === 'tool-approval-request');
            assert.ok(asked?.type === 'tool-approval-request');
            const { approvalId } = asked;
            const approval: ModelMessage = {
              role: 'tool',
              content: [{ type: 'tool-approval-response', approvalId, approved: true }],
            };
            messages = [...messages, approval];
            await say();
            assert.equal(runs, 1);
            assert.deepEqual(
              warnings.filter((text) => !text.includes('nothing is deferred')),
              [],
            );
            if (!isSameFold) fold = make();
            messages = [...messages, approval];
            // The provider refuses the second result of the call.
            await say().catch(() => {});
            assert.equal(runs, 1);
            const told = warnings.filter((text) => !text.includes('nothing is deferred'));
            assert.equal(told.length, 1, told.join('\n'));
            assert.match(told[0] ?? '', /resumed by an approval that does not hold: .* a result/);
          });
});
