import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { generateText, isStepCount, jsonSchema, type Tool as SdkTool, tool } from 'ai';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as z3 } from 'zod/v3';
import { createFold } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';

const SCHEMAS: Readonly<Record<string, SdkTool['inputSchema']>> = {
  'zod 4': z.object({ amount: z.number() }),
  'zod 4 mini': mini.object({ amount: mini.number() }),
  'zod 3': z3.object({ amount: z3.number() }),
  valibot: toStandardJsonSchema(v.object({ amount: v.number() })),
  arktype: type({ amount: 'number' }),
  'JSON Schema': jsonSchema({
    type: 'object',
    properties: { amount: { type: 'number' } },
    required: ['amount'],
  }),
};
const endpoint = ENDPOINTS[0] ?? assert.fail();

describe('a tool of the app with the schema of a library', () => {
  for (const [library, inputSchema] of Object.entries(SCHEMAS))
    for (const strategy of ['dispatch', 'inject', 'eager'] as const)
      for (const place of ['tools', 'a group'] as const)
        test(`${library}, ${strategy}, in ${place}: runs with valid arguments only`, async () => {
          const runs: unknown[] = [];
          const pay = tool({ inputSchema, execute: async (input) => void runs.push(input) });
          const name = place === 'tools' ? 'pay' : 'bank__pay';
          const group = {
            groupId: 'bank',
            description: 'Payments',
            toolNames: ['pay'],
            loader: async () => ({ pay }),
          };
          const call = (amount: unknown) =>
            strategy === 'dispatch'
              ? DISPATCH.call(name, { amount })
              : { name, arguments: { amount } };
          const load = DISPATCH.load(place === 'tools' ? 'app' : 'bank');
          await using server = await startModelServer({
            script: [
              ...(strategy === 'eager' ? [] : [{ calls: [load] }]),
              { calls: [call('much'), call(1)] },
              { text: 'Done.' },
            ],
          });
          const fold = createFold({
            strategy,
            onWarning: false,
            ...(place === 'tools' ? { tools: { pay } } : { groups: [group] }),
          });
          const model = modelOn(server, endpoint);
          await generateText({ ...fold.with(model), prompt: 'Pay.', stopWhen: isStepCount(5) });
          // As without Toolfold: `jsonSchema` alone has no validator, and nothing is deferred.
          const isUnchecked =
            library === 'JSON Schema' && strategy === 'eager' && place === 'tools';
          const expected = isUnchecked ? [{ amount: 'much' }, { amount: 1 }] : [{ amount: 1 }];
          assert.deepEqual(runs, expected);
          if (strategy === 'dispatch')
            assert.match(server.requests.at(-1)?.raw ?? '', /problems[^\]]*\/amount: /);
        });
});
