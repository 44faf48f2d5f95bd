import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { ToolSet } from 'ai';
import { createFold, type Fold, type FoldOptions } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { Talk } from '../talk.test-support.ts';
import { resultsOn } from '../wire.test-support.ts';

const LONG = `first ${'x'.repeat(60_000)} last`;
const inputSchema = { type: 'object' } as const;
const read = {
  name: 'read',
  inputSchema,
  execute: async () => ({ content: [{ type: 'text', text: LONG }] }),
};
const groups = [
  {
    groupId: 'kit',
    toolNames: ['read'],
    resultFormat: 'mcp' as const,
    loader: async () => [read],
  },
];

describe('the length of results', () => {
  for (const endpoint of ENDPOINTS) {
    for (const strategy of ['dispatch', 'eager'] as const) {
      for (const route of ['json', 'ui'] as const) {
        test(`is limited in each request, and the messages keep all: ${endpoint.name}, ${strategy}, ${route}`, async () => {
          const call =
            strategy === 'eager'
              ? { name: 'kit__read', arguments: {} }
              : DISPATCH.call('kit__read', {});
          await using server = await startModelServer({
            script: [{ calls: [call] }, { text: 'Done.' }, { text: 'Bye.' }],
          });
          const options: FoldOptions<ToolSet> = { strategy, groups, maxResultLength: 10_000 };
          const talk = new Talk({
            mode: 'stream',
            route,
            handing: 'spread',
            model: modelOn(server, endpoint),
            fold: () => createFold(options) as Fold<never>,
          });
          await talk.say('Go.');
          await talk.say('And?');
          const report = auditPrefix(server.requests);
          assert.ok(report.held, formatAuditReport(report));
          const texts = server.requests.slice(1).map((one) => resultsOn(one)[0]?.text ?? '');
          assert.equal(new Set(texts).size, 1);
          assert.match(texts[0] ?? '', /^first x{7494}\n\[50,011 characters .*\]\nx+ last$/);
          assert.ok(JSON.stringify(talk.messages).includes(LONG));
        });
      }
    }
  }

  test('has no limit where none is given, and one that means nothing is refused', async () => {
    assert.equal(createFold({}).maxResultLength, Infinity);
    for (const maxResultLength of [0, 99, -1, Number.NaN, '1000'])
      assert.throws(() => createFold({ maxResultLength } as never), /maxResultLength/);
  });
});
