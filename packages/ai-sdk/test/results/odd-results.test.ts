import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { isStepCount, jsonSchema, type ToolSet, tool } from 'ai';
import { createFold, type Fold } from '../../src/index.ts';
import type { Mode, Route } from '../conversation.test-support.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { Talk } from '../talk.test-support.ts';
import { resultsOn } from '../wire.test-support.ts';

const circle: Record<string, unknown> = {};
circle.self = circle;

const deep = Array.from({ length: 10_000 }).reduce<unknown>((inner) => ({ inner }), 'end');
const ALL: Route[] = ['live', 'json', 'ui'];

/** Results that JSON changes or cannot hold. The call has run, and the model reads that. */
const RESULTS: Readonly<Record<string, readonly [make: () => unknown, shown: RegExp, Route[]]>> = {
  'a date': [() => new Date(0), /^1970-01-01T00:00:00\.000Z$/, ['live', 'json', 'ui']],
  'half a character': [() => 'cut \ud83d here', /^cut \ufffd here$/, ['live', 'json', 'ui']],
  'half a character within': [() => ['\ud83d'], /^\["\ufffd"\]$/, ['live', 'json', 'ui']],
  'a big integer': [() => ({ paid: 10n }), /^\{"paid":"10"\}$/, ALL],
  'a circle': [() => circle, /has run.*it is the object around it/, ALL],
  'ten thousand levels': [() => deep, /has run.*deeper than 100 levels/, ALL],
  'a getter that throws': [
    () => ({
      paid: true,
      get receipt(): never {
        throw new Error('no paper');
      },
    }),
    /^\{"paid":true,"receipt":"\[The tool has run.*no paper/,
    ALL,
  ],
  'a toJSON that throws': [
    () => ({
      toJSON: () => {
        throw new Error('not yet');
      },
    }),
    /has run.*not yet/,
    ALL,
  ],
  'a response': [() => new Response('paid', { status: 201 }), /"status":201.*has run/, ALL],
};
const MODES: readonly Mode[] = ['generate', 'stream'];

/** An own tool and two group tools that return the value. The groups may be removed. */
function foldOf(execute: () => unknown, isGone: boolean): Fold<ToolSet> {
  const odd = tool({ inputSchema: jsonSchema({ type: 'object', properties: {} }), execute });
  const toolNames = isGone ? [] : ['odd'];
  const loader = async () => (isGone ? {} : { odd }) as ToolSet;
  return createFold({
    tools: { own_odd: odd } as ToolSet,
    groups: [
      { groupId: 'kit', toolNames, loader },
      { groupId: 'mcp', toolNames, loader, resultFormat: 'mcp' },
    ],
    strategy: 'dispatch',
  }) as Fold<ToolSet>;
}

describe('odd results', () => {
  for (const [name, [make, shown, routes]] of Object.entries(RESULTS)) {
    for (const route of routes) {
      test(`promise 1: ${name} is shown in one form, and no turn fails, ${route}`, async () => {
        for (const mode of MODES) {
          const grouped = ['kit__odd', 'mcp__odd'].map((name) => DISPATCH.call(name, {}));
          const calls = [{ name: 'own_odd', arguments: {} }, ...grouped];
          const script = [{ calls }, { text: 'Done.' }, { text: 'Bye.' }, { text: 'Last.' }];
          await using server = await startModelServer({ script });
          const model = modelOn(server, ENDPOINTS[0] ?? assert.fail());
          let folds = 0;
          const fold = () => foldOf(make, folds++ === 2);
          const settings = { stopWhen: isStepCount(4) };
          const talk = new Talk({ mode, route, handing: 'spread', model, fold, settings });
          await talk.say('Go.');
          await talk.say('And?');
          const results = resultsOn(server.requests.at(-1) ?? assert.fail());
          assert.equal(results.length, 3);
          for (const { text } of results) assert.match(text, shown, mode);
          // Without the group the catalog changes, but the messages do not.
          await talk.say('And now?');
          assert.deepEqual(resultsOn(server.requests.at(-1) ?? assert.fail()), results, mode);
          const report = auditPrefix(server.requests.slice(0, 3));
          assert.ok(report.held, `${mode}: ${formatAuditReport(report)}`);
        }
      });
    }
  }
});
