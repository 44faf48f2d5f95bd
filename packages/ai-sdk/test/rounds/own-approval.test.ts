import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import type { ToolSet } from 'ai';
import { createFold, type Fold } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { foldOptions, type Runs } from '../folds.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { type Handing, Talk } from '../talk.test-support.ts';
import { callsOn, resultsOn } from '../wire.test-support.ts';
import { BUG, CREATE, GITHUB, MODES, ROUTES } from './rounds.test-support.ts';

const { load, call } = DISPATCH;
type Question = { readonly toolCall: { readonly toolName: string } };

/** What an app's own function answers to every question, also to those about loads. */
const FUNCTIONS = {
  'approves all': () => 'approved',
  'denies loads': ({ toolCall }: Question) =>
    toolCall.toolName === 'load_tools' ? 'denied' : 'not-applicable',
  'asks about all': () => 'user-approval',
} as const;

const ROWS = combinations({
  endpoint: ENDPOINTS,
  name: Object.keys(FUNCTIONS) as (keyof typeof FUNCTIONS)[],
  mode: MODES,
  route: ROUTES,
  isMixed: [true, false],
});

/** A generation, the answer to its questions, and one more turn. */
async function talk(
  { endpoint, mode, route, isMixed }: Omit<(typeof ROWS)[number], 'name'>,
  handing: Handing,
  settings: Readonly<Record<string, unknown>>,
) {
  const asks = isMixed
    ? [{ calls: [load(GITHUB), load('mcp:linear'), call(CREATE, BUG)] }]
    : [{ text: 'See.', calls: [load(GITHUB)] }, { calls: [call(CREATE, BUG)] }];
  const script = [...asks, { text: 'So.' }, { calls: [load('mcp:linear')] }, { text: 'Done.' }];
  await using server = await startModelServer({ script });
  const runs: Runs = [];
  const options = { ...foldOptions(runs), strategy: 'dispatch' as const };
  const fold = () => createFold(options) as unknown as Fold<ToolSet>;
  const model = modelOn(server, endpoint);
  const common = { mode, route, handing, model, fold };
  const given = new Talk(
    handing === 'two fields' ? { ...common, settings } : { ...common, with: settings },
  );
  await given.say('Go.');
  const isAsked = server.requests.length === asks.length;
  if (isAsked) await given.answer({ approved: true });
  await given.say('And more.');
  return { requests: server.requests, runs, isAsked };
}

describe(`an app's own toolApproval and loads inside a model call, ${selection}`, () => {
  for (const endpoint of ENDPOINTS) {
    for (const row of ROWS.filter((one) => one.endpoint === endpoint)) {
      const { name, mode, route, isMixed } = row;
      const title = `${name}, ${mode}, ${route}, ${isMixed ? 'one response' : 'two responses'}`;
      test(`promise 62: every request is accepted: ${endpoint.name}, ${title}`, async () => {
        const settings = { toolApproval: FUNCTIONS[name] };
        const { requests, runs } = await talk(row, 'two fields', settings);
        // A UI message keeps a denial and no result beside it.
        if (name !== 'denies loads' || route !== 'ui') {
          const report = auditPrefix(requests);
          assert.ok(report.held, formatAuditReport(report));
        }
        const last = requests.at(-1);
        assert.ok(last);
        const results = resultsOn(last).map(({ id }) => id);
        assert.deepEqual(
          results,
          callsOn(last).map(({ id }) => id),
        );
        assert.equal(new Set(results).size, results.length);
        assert.ok(!/approval/.test(last.raw), 'an approval reached the provider');
        assert.equal(runs.length, 1);
      });
    }
  }
});

describe(`approvals of real calls after loads, ${selection}`, () => {
  const rows = combinations({
    ...{ endpoint: ENDPOINTS, mode: MODES, route: ROUTES, isMixed: [true, false] },
    handing: ['spread', 'copied', 'two fields'] as const,
  });
  for (const endpoint of ENDPOINTS) {
    test(`promise 62: only the real call is asked about: ${endpoint.name}`, async () => {
      for (const row of rows.filter((one) => one.endpoint === endpoint)) {
        const { mode, route, handing } = row;
        const where = `${mode}, ${route}, ${handing}`;
        const settings = { toolApproval: { [CREATE]: 'user-approval' } };
        const { requests, runs, isAsked } = await talk(row, handing, settings);
        assert.ok(isAsked, where);
        assert.equal(runs.length, 1, where);
        const report = auditPrefix(requests);
        assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
      }
    });
  }
});
