import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { estimateTokens } from '@toolfold/core/internal/tool/tokens.ts';
import { countBody } from '@toolfold/testing/internal/audit/count-body.ts';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { begin, collect } from '../agent.test-support.ts';

const groups = ['crm', 'mail', 'tracker'].map((name) =>
  fakeGroup({ groupId: `mcp:${name}`, count: 25 }),
);
const starting = groups.map((group) => ({
  ...group,
  toolNames: [],
  unavailable: { reason: 'it is still starting' },
}));

describe('promise 34: a greeting while servers start', () => {
  for (const endpoint of ENDPOINTS)
    for (const before of [[], starting, starting.slice(1)])
      test(`costs no later request anything: ${endpoint.name}, ${before.length} starting`, async () => {
        await using server = await startModelServer({ script: () => ({ text: 'Ok.' }) });
        const { talk, fold } = begin(server, {
          endpoint,
          fold: { groups: before, strategy: 'auto' },
        });
        await collect(talk.send('Hello'));
        fold.update(groups);
        await collect(talk.send('What can you do?'));
        await collect(talk.send('Good.'));
        const toolsOf = (index: number) => {
          const request = server.requests[index] ?? assert.fail();
          return countBody(request, estimateTokens).tools;
        };
        const all = groups.length * 25;
        assert.ok(toolsOf(1) < 2_000, `${toolsOf(1)} tokens of tools, of ${all} schemas`);
        const body = (index: number) => server.requests[index]?.body as { tools?: unknown };
        assert.deepEqual(body(2).tools, body(1).tools);
      });
});
