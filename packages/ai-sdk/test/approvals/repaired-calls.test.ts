import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { product, selected, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import { type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { REDACTED, Talk } from '../talk.test-support.ts';
import { resultsOn } from '../wire.test-support.ts';

/** Arguments of the model, and the app's repair. */
const REPAIRS: Readonly<Record<string, readonly [given: string, repaired: string]>> = {
  'a wrong type, left out': ['{"n":"x"}', '{}'],
  'a wrong type, put right': ['{"n":"x"}', '{"n":1}'],
  'a text that breaks off, left out': ['{"n": ', '{}'],
  'a text that breaks off, put right': ['{"n": ', '{"n":2}'],
  'a text, left out': ['"hello"', '{}'],
  'a list, left out': ['[1]', '{}'],
  'nothing but null, left out': ['null', '{}'],
};
const CALLS: Readonly<Record<string, (given: string) => { name: string; arguments: string }>> = {
  'of an own tool': (given) => ({ name: 'own', arguments: given }),
  'of a deferred tool': (given) => ({ name: 'kit__burn', arguments: given }),
  'through the dispatcher': (given) => ({
    name: 'deferred_tool_call',
    arguments: `{"tool_name":"kit__burn","arguments":${given}${given.endsWith(' ') ? '' : '}'}`,
  }),
};
const endpoint = ENDPOINTS[1] ?? assert.fail();

const ROWS = selected(
  product({
    name: Object.keys(REPAIRS),
    way: Object.keys(CALLS),
    mode: ['generate', 'stream'],
    route: ['live', 'json', 'ui'],
    handing: ['spread', 'copied', 'two fields'],
  }).filter(({ name, way }) => {
    const [given = ''] = REPAIRS[name] ?? [];
    // What can be no arguments of a deferred tool is the model's to mend.
    if (way !== 'of an own tool' && given.startsWith('[')) return false;
    return way !== 'through the dispatcher' || !given.startsWith('"');
  }),
);

describe(`a call that the app repairs, whose tool then throws, ${selection}`, () => {
  for (const [name, [given, repaired]] of Object.entries(REPAIRS)) {
    test(`${name}: the model gets the error of the tool, and not the refusal of the call`, async () => {
      for (const { way, mode, route, handing } of ROWS.filter((row) => row.name === name)) {
        const call = CALLS[way] ?? assert.fail();
        const runs: unknown[] = [];
        const burn = tool({
          inputSchema: z.object({ n: z.number().optional() }),
          execute: (input): unknown => {
            runs.push(input);
            throw new Error('the disk is full');
          },
        });
        await using server = await startModelServer({
          script: [{ calls: [call(given)] }, { text: 'Done.' }, { text: 'Bye.' }],
        });
        const talk = new Talk({
          mode,
          route,
          handing,
          model: modelOn(server, endpoint),
          fold: () =>
            createFold({
              strategy: 'dispatch',
              tools: { own: burn } as ToolSet,
              groups: [{ groupId: 'kit', toolNames: ['burn'], loader: async () => ({ burn }) }],
            }),
        });
        const where = `${way}, ${mode}, ${route}, ${handing}`;
        const repair = async ({ toolCall }: { toolCall: object }) => ({
          ...toolCall,
          input: repaired,
        });
        await talk.say('Go.', { experimental_repairToolCall: repair } as never);
        await talk.say('And?');
        assert.deepEqual(runs, [JSON.parse(repaired)], where);
        const shown = resultsOn(server.requests.at(-1) ?? assert.fail())[0]?.text ?? '';
        assert.match(shown, /the disk is full/, where);
        assert.ok(!shown.includes(REDACTED), where);
        const report = auditPrefix(server.requests);
        assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
      }
    });
  }
});

test('the same invalid call twice in one response is offered for repair twice, and neither runs', async () => {
  for (const [way, call] of Object.entries(CALLS)) {
    for (const mode of ['generate', 'stream'] as const) {
      const runs: unknown[] = [];
      const inputSchema = z.object({ n: z.number().optional() });
      const burn = tool({ inputSchema, execute: (input) => void runs.push(input) });
      const twice = [call('{"n":"x"}'), call('{"n":"x"}')];
      await using server = await startModelServer({
        script: [{ calls: twice }, { text: 'Done.' }],
      });
      const talk = new Talk({
        mode,
        route: 'live',
        handing: 'spread',
        model: modelOn(server, endpoint),
        fold: () =>
          createFold({
            strategy: 'dispatch',
            tools: { own: burn } as ToolSet,
            groups: [{ groupId: 'kit', toolNames: ['burn'], loader: async () => ({ burn }) }],
          }),
      });
      let offered = 0;
      const repair = async () => {
        offered++;
        return null;
      };
      await talk.say('Go.', { experimental_repairToolCall: repair } as never);
      const where = `${way}, ${mode}`;
      assert.equal(offered, 2, where);
      assert.deepEqual(runs, [], where);
      const texts = resultsOn(server.requests.at(-1) ?? assert.fail()).map(({ text }) => text);
      assert.equal(texts.length, 2, where);
      for (const text of texts) assert.match(text, /invalid_arguments/, where);
    }
  }
});
