import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Tool } from '@toolfold/core/internal/tool/tool.ts';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import { type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type Fold, type FoldOptions } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { Talk } from '../talk.test-support.ts';
import { resultsOn } from '../wire.test-support.ts';

type Groups = NonNullable<FoldOptions<ToolSet>['groups']>;

/** Outputs in the shape of an MCP `CallToolResult`, and the model output if the tool returns MCP results. */
const OUTPUTS: Readonly<Record<string, readonly [output: unknown, shown: RegExp]>> = {
  text: [{ content: [{ type: 'text', text: 'a line' }] }, /^a line$/],
  'an error': [{ isError: true, content: [{ type: 'text', text: 'too late' }] }, /too late/],
  'a draft': [{ content: [{ type: 'heading', text: 'Hi' }], version: 2 }, /heading/],
  'structured alone': [{ content: [], structuredContent: { n: 1 } }, /^\{"n":1\}$/],
};
const input = { id: 'a' };
const run = async (given: unknown): Promise<unknown> => given;

/** The groups of the first process, and the groups of a later process. */
function groupsOf(output: unknown, isMcp: boolean): Readonly<Record<string, Groups>> {
  const inputSchema = { type: 'object', properties: { id: { type: 'string' } } } as const;
  const plain: Tool = { name: 'read', inputSchema, execute: () => run(output) };
  const sdk = {
    read: tool({ inputSchema: z.object({ id: z.string() }), execute: () => run(output) }),
  };
  const group = { groupId: 'kit', toolNames: ['read'] };
  const format = isMcp ? { resultFormat: 'mcp' as const } : {};
  const down = async () => Promise.reject(new Error('down'));
  return {
    'of plain tools': [{ ...group, ...format, loader: async () => [plain] }],
    "of the SDK's tools": [{ ...group, ...format, loader: async () => sdk }],
    'that does not load any more': [{ ...group, ...format, loader: down }],
    'of another name': [{ ...group, ...format, groupId: 'other', loader: down }],
  };
}

const ROWS = combinations({
  name: Object.keys(OUTPUTS),
  isMcp: [true, false],
  first: ['of plain tools', "of the SDK's tools"],
  later: Object.keys(groupsOf(undefined, true)),
  endpoint: [ENDPOINTS[0] ?? assert.fail(), ENDPOINTS[2] ?? assert.fail()],
  mode: ['generate', 'stream'],
  route: ['json', 'ui'],
});

describe(`a result is shown in the format of its group, ${selection}`, () => {
  for (const [name, [output, asMcp]] of Object.entries(OUTPUTS)) {
    for (const isMcp of [true, false]) {
      test(`promise 28: ${name}, ${isMcp ? 'of MCP' : 'of another tool'}`, async () => {
        const groups = groupsOf(output, isMcp);
        const rows = ROWS.filter((row) => row.name === name && row.isMcp === isMcp);
        for (const { first, later, endpoint, mode, route } of rows) {
          await using server = await startModelServer({
            script: [
              { calls: [DISPATCH.call('kit__read', input)] },
              { text: 'Done.' },
              { text: 'Bye.' },
            ],
          });
          let turn = 0;
          const talk = new Talk({
            mode,
            route,
            handing: 'spread',
            model: modelOn(server, endpoint),
            fold: () =>
              createFold({
                strategy: 'dispatch',
                groups: groups[turn++ === 0 ? first : later] ?? assert.fail(),
              }) as Fold<ToolSet>,
          });
          await talk.say('Go.');
          await talk.say('And?');
          const where = `${first}, then ${later}, ${endpoint.provider}, ${mode}, ${route}`;
          const texts = server.requests.slice(1).map((request) => resultsOn(request)[0]?.text);
          assert.equal(texts[0], texts[1], where);
          if (isMcp) assert.match(texts[0] ?? '', asMcp, where);
          else assert.equal(texts[0], JSON.stringify(output), where);
          // Another process without the group has another catalog.
          if (later === 'of another name') continue;
          const report = auditPrefix(server.requests);
          assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
        }
      });
    }
  }
});
