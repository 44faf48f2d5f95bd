import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import { isRecord } from '@toolfold/core/internal/values/json.ts';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import type { ToolSet } from 'ai';
import { createFold, type Fold, type WithOptions } from '../../src/index.ts';
import { Talk } from '../talk.test-support.ts';

const TEXTS = ['SELECT 1', '{"a":1}', '"quoted"', ''];
const WAYS: Readonly<Record<string, WithOptions>> = {
  alone: {},
  'with a hook': { hooks: { beforeToolCall: () => undefined } },
  'after a question': { hooks: { beforeToolCall: () => ({ ask: true }) } },
};

const STRATEGIES = ['dispatch', 'eager'] as const;
const ROWS = combinations({
  strategy: STRATEGIES,
  way: Object.keys(WAYS),
  text: TEXTS,
  mode: ['generate', 'stream'],
  route: ['live', 'json', 'ui'],
});

describe(`calls of OpenAI's custom tools, which have a text as input, ${selection}`, () => {
  for (const strategy of STRATEGIES) {
    for (const [way, given] of Object.entries(WAYS)) {
      const rows = ROWS.filter((row) => row.strategy === strategy && row.way === way);
      test(`promise 9: stay what the model wrote, ${strategy}, ${way}`, async () => {
        for (const { text, mode, route } of rows) {
          const runs: unknown[] = [];
          await using server = await startModelServer({
            script: [
              { calls: [{ name: 'sql', arguments: text }] },
              { text: 'Done.' },
              { text: 'Bye.' },
            ],
          });
          const openai = createOpenAI({
            baseURL: server.baseUrl('openai-responses'),
            apiKey: 'test',
          });
          const sql = openai.tools.customTool({
            description: 'Runs SQL.',
            execute: async (input: string) => {
              runs.push(input);
              return 'one row';
            },
          } as never);
          const talk = new Talk({
            mode,
            route,
            handing: 'spread',
            // `store: false`, so that the provider sends each call in full.
            settings: { providerOptions: { openai: { store: false } } } as never,
            model: openai.responses('gpt-5.6'),
            with: given,
            fold: () =>
              createFold({
                strategy,
                tools: { sql } as ToolSet,
                groups: [{ groupId: 'kit', toolNames: ['x'], loader: async () => [] }],
              }) as Fold<ToolSet>,
          });
          const where = `${JSON.stringify(text)}, ${mode}, ${route}`;
          await talk.say('Go.');
          if (way === 'after a question') await talk.answer({ approved: true });
          await talk.say('And?');
          assert.deepEqual(runs, [text], where);
          const items = server.requests.at(-1)?.body.input;
          const [call] = (Array.isArray(items) ? items : []).filter(
            (item) => isRecord(item) && item.type === 'custom_tool_call',
          );
          assert.equal(call?.input, text, where);
          const report = auditPrefix(server.requests);
          assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
        }
      });
    }
  }
});
