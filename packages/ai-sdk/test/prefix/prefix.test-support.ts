import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { CallEvent } from '@toolfold/core/internal/transcript/transcript.ts';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import type { ToolSet } from 'ai';
import { createFold, type Fold, type FoldOptions } from '../../src/index.ts';
import {
  type CallSettings,
  Conversation,
  type Mode,
  type Route,
} from '../conversation.test-support.ts';
import {
  dialectOf,
  ENDPOINTS,
  type Endpoint,
  modelOn,
  NATIVE_ENDPOINTS,
  type NativeEndpoint,
} from '../endpoints.test-support.ts';
import { foldOptions, type Runs } from '../folds.test-support.ts';
import {
  BRIDGE,
  DISPATCH,
  type Dialect,
  SCENARIOS,
  type Scenario,
} from '../scenarios.test-support.ts';
import { callsOn, resultsOn } from '../wire.test-support.ts';

const MODES: readonly Mode[] = ['generate', 'stream'];
const ROUTES: readonly Route[] = ['live', 'json', 'ui'];

async function play(scenario: Scenario, to: Dialect, endpoint: Spoken, mode: Mode, route: Route) {
  const script: Reply[] = [
    ...scenario.replies(to),
    { text: 'Done.' },
    { calls: [to.call('linear__create_issue', { title: 'later' })] },
    { text: 'Done again.' },
  ];
  const runs: Runs = [];
  const events: CallEvent[] = [];
  await using server = await startModelServer({ script });
  const options = {
    ...foldOptions(runs),
    strategy: to.strategy,
    ...(endpoint.capabilities ? { capabilities: endpoint.capabilities } : {}),
    onCall: (e: CallEvent) => events.push(e),
  };
  // All folds share one set of options, so that a loader keeps its state.
  const fold = () => createFold(options) as unknown as Fold<ToolSet>;
  const { onError } = scenario;
  const settings = { ...endpoint.settings, ...scenario.settings };
  const conversation = new Conversation({
    mode,
    route,
    model: modelOn(server, endpoint),
    fold,
    settings,
    ...(onError ? { onError } : {}),
  });
  await conversation.say('Go.');
  if (scenario.answer) await conversation.answer(scenario.answer);
  await conversation.say('And once more.');
  return {
    requests: server.requests,
    runs,
    events,
    calls: script.flatMap((reply) => reply.calls ?? []),
  };
}

/** An endpoint with its options for the fold and for each call. */
export interface Spoken extends Endpoint {
  readonly capabilities?: FoldOptions<ToolSet>['capabilities'];
  readonly settings?: CallSettings;
}

/** The strategies whose calls go through a bridge tool, on all endpoints. */
const BRIDGED = combinations({
  to: [DISPATCH, BRIDGE],
  endpoint: ENDPOINTS,
  scenario: SCENARIOS,
  mode: MODES,
  route: ROUTES,
});

/**
 * Scenarios on every endpoint, in both modes and by all routes, with one of these strategies: every
 * pair of all settings, the strategy included, or every combination.
 */
export function testPrefix(title: string, to: typeof DISPATCH | typeof BRIDGE): void {
  const rows = BRIDGED.filter((row) => row.to === to);
  for (const endpoint of ENDPOINTS) testEndpoint(title, endpoint, to, rows);
}

/** Each form of `native`: every pair of the form, the scenario, the mode and the route, or all. */
export function testNativePrefix(title: string): void {
  const scenarios = SCENARIOS.filter(({ dispatches }) => !dispatches);
  const endpoints: readonly NativeEndpoint[] = NATIVE_ENDPOINTS;
  const rows = combinations({
    endpoint: endpoints,
    scenario: scenarios,
    mode: MODES,
    route: ROUTES,
  });
  for (const endpoint of endpoints) testEndpoint(title, endpoint, dialectOf(endpoint.form), rows);
}

interface Row {
  readonly endpoint: Spoken;
  readonly scenario: Scenario;
  readonly mode: Mode;
  readonly route: Route;
}

/** The rows of one endpoint: one test for each scenario. */
function testEndpoint(title: string, endpoint: Spoken, to: Dialect, rows: readonly Row[]): void {
  describe(`${title}, ${endpoint.name}, ${selection}`, () => {
    const own = rows.filter((row) => row.endpoint === endpoint);
    for (const scenario of new Set(own.map((row) => row.scenario))) {
      const some = own.filter((row) => row.scenario === scenario);
      test(scenario.name, async () => {
        for (const { mode, route } of some) await check(scenario, to, endpoint, mode, route);
      });
    }
  });
}

async function check(scenario: Scenario, to: Dialect, endpoint: Spoken, mode: Mode, route: Route) {
  const where = `${mode}, ${route}`;
  const { requests, runs, events, calls } = await play(scenario, to, endpoint, mode, route);
  const report = auditPrefix(requests);
  assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
  const last = requests.at(-1);
  assert.ok(last);
  assert.ok(
    !/AI_\w+Error|unavailable tool|Available tools/i.test(last.raw),
    `${where}: the SDK's own error text`,
  );

  const sent = callsOn(last);
  assert.deepEqual(
    sent.map(({ name }) => name),
    calls.map(({ name }) => name),
    where,
  );
  sent.forEach(({ input }, index) => {
    const written = calls[index]?.arguments;
    // Text that is no JSON object has one fixed form; Anthropic's plain answers bring it as a string.
    if (typeof written === 'string' && written !== '') {
      const forms = [written, JSON.stringify(written)].map((text) => ({ malformed_input: text }));
      assert.ok(
        // A provider's own search takes any value for arguments, text too.
        [...forms, written].some((form) => isDeepStrictEqual(form, input)),
        `${where}: call ${index}`,
      );
    } else {
      assert.deepEqual(input, written === '' ? {} : written, `${where}: call ${index}`);
    }
  });

  const results = resultsOn(last);
  assert.deepEqual(
    results.map(({ id }) => id),
    sent.map(({ id }) => id),
    where,
  );
  scenario.results?.(to).forEach((pattern, index) => {
    const { text = '' } = results[index] ?? {};
    // The remarks of a search without tools follow after its result.
    assert.match(text === '[]' ? last.raw : text, pattern, `${where}: result ${index}`);
  });

  const ran = runs.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`);
  const expected = [...scenario.runs, 'linear__create_issue {"title":"later"}'];
  assert.equal(ran.length, expected.length, `${where}: ${ran.join(', ')}`);
  const rest = [...ran];
  for (const run of expected) {
    const at = rest.findIndex((text) => text.startsWith(run));
    assert.ok(at >= 0, `${where}: ${run} did not run`);
    rest.splice(at, 1);
  }
  const ids = events.map(({ id }) => id);
  assert.equal(
    new Set(ids).size,
    ids.length,
    `${where}: one event per call, got ${JSON.stringify(events)}`,
  );
}
