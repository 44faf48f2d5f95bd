import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import { type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { Talk } from '../talk.test-support.ts';
import { callsOn, resultsOn } from '../wire.test-support.ts';

const ask = tool({ inputSchema: z.object({ question: z.string() }), execute: () => 'because' });
/** Names that at least one provider refuses in the history of a request. */
const NAMES = ['issues.create', 'create issue', 'ärger', 'a"b', 'x'.repeat(100), '../etc', '<b>'];
const ARGUMENTS = { 'an object': '{"a":1}', 'a text that breaks off': '{"a":' };
const STRATEGIES = ['dispatch', 'bridge', 'inject'] as const;

const ROWS = combinations({
  endpoint: ENDPOINTS,
  text: Object.values(ARGUMENTS),
  name: NAMES,
  mode: ['generate', 'stream'],
  route: ['live', 'json', 'ui'],
});

describe(`a call with an invalid tool name keeps its name and arguments, ${selection}`, () => {
  for (const endpoint of ENDPOINTS) {
    for (const [form, text] of Object.entries(ARGUMENTS)) {
      // Anthropic's format allows only JSON as arguments.
      if (endpoint.provider === 'anthropic' && text !== ARGUMENTS['an object']) continue;
      test(`promise 1: with ${form}, ${endpoint.name}`, async () => {
        const rows = ROWS.filter((row) => row.endpoint === endpoint && row.text === text);
        for (const { name, mode, route } of rows) {
          const at = NAMES.indexOf(name);
          await using server = await startModelServer({
            script: [{ calls: [{ name, arguments: text }] }, { text: 'Done.' }, { text: 'Bye.' }],
          });
          const talk = new Talk({
            mode,
            route,
            handing: at % 2 === 0 ? 'spread' : 'copied',
            model: modelOn(server, endpoint),
            fold: () =>
              createFold({
                strategy: STRATEGIES[at % STRATEGIES.length] ?? 'dispatch',
                tools: { ask } as ToolSet,
                groups: [{ groupId: 'kit', toolNames: ['ask'], loader: async () => ({ ask }) }],
              }),
          });
          const where = `${name}, ${mode}, ${route}`;
          await talk.say('Go.');
          await talk.say('And?');
          const last = server.requests.at(-1) ?? assert.fail();
          const [call] = callsOn(last);
          assert.match(call?.name ?? '', /^[\w-]{1,64}$/, where);
          const written = text === ARGUMENTS['an object'] ? { a: 1 } : text;
          assert.deepEqual(call?.input, { tool_name: name, arguments: written }, where);
          const [result] = resultsOn(last);
          assert.match(result?.text ?? '', /unknown_tool|No tool was run/, where);
          const report = auditPrefix(server.requests);
          assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
        }
      });
    }
  }
});
