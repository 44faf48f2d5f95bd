import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { isFull, pairwise, product } from '@toolfold/testing/test/combinations.test-support.ts';
import { type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { Talk } from '../talk.test-support.ts';
import { resultsOn } from '../wire.test-support.ts';

const REASONS = ['not now', '{"error":"budget"}', '{"a":1}', '[1]', '"q"', ' {"a":1} ', '12', ''];
const input = { question: 'why' };
const CALLS = [{ name: 'ask', arguments: input }, DISPATCH.call('kit__ask', input)];
const ask = tool({
  inputSchema: z.object({ question: z.string() }),
  needsApproval: true,
  execute: (): string => assert.fail('it was denied'),
});

const ALL = product({
  endpoint: ENDPOINTS,
  call: CALLS,
  mode: ['generate', 'stream'],
  route: ['live', 'json', 'ui'],
});
/** Never fewer than the pairs: the rows of an endpoint are compared with each other. */
const ROWS = isFull ? ALL : pairwise(ALL);

describe(`the reason of a denial reaches the model in one form`, () => {
  for (const reason of REASONS) {
    for (const endpoint of ENDPOINTS)
      test(`promise 1: ${JSON.stringify(reason)}, ${endpoint.name}`, async () => {
        const forms = new Set<string>();
        const rows = ROWS.filter((row) => row.endpoint === endpoint);
        assert.ok(rows.length > 1);
        for (const { call, mode, route } of rows) {
          await using server = await startModelServer({
            script: [{ calls: [call] }, { text: 'Done.' }, { text: 'Bye.' }],
          });
          const talk = new Talk({
            mode,
            route,
            handing: 'spread',
            model: modelOn(server, endpoint),
            fold: () =>
              createFold({
                strategy: 'dispatch',
                tools: { ask } as ToolSet,
                groups: [{ groupId: 'kit', toolNames: ['ask'], loader: async () => ({ ask }) }],
              }),
          });
          await talk.say('Go.');
          await talk.answer({ approved: false, reason });
          await talk.say('And?');
          const shown = resultsOn(server.requests.at(-1) ?? assert.fail());
          forms.add(shown[0]?.text ?? assert.fail());
          const report = auditPrefix(server.requests);
          const where = `${call.name}, ${mode}, ${route}`;
          assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
        }
        assert.equal(forms.size, 1, [...forms].join(' | '));
      });
  }
});
