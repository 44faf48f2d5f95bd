import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import type { ToolSet } from 'ai';
import { createFold, type Fold, type LoadsIn } from '../../src/index.ts';
import { Conversation, type Mode, type Route } from '../conversation.test-support.ts';
import { modelOn, NATIVE_ENDPOINTS } from '../endpoints.test-support.ts';
import { foldOptions, type Runs } from '../folds.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { toolsOn } from '../wire.test-support.ts';
import { BUG, CREATE, MODES, ROUTES, wayOf } from './rounds.test-support.ts';

type Native = (typeof NATIVE_ENDPOINTS)[number];

/** Whether only `dispatch` sends such a request. */
const isPlain = (request: RecordedRequest) => toolsOn(request).includes('deferred_tool_call');

/** An endpoint that takes native tools in the first request and refuses them from then on. */
async function play(endpoint: Native, mode: Mode, route: Route, loads: LoadsIn) {
  const way = wayOf(`native, ${endpoint.form}`);
  const plain: Reply[] = [
    { text: 'So.', calls: [DISPATCH.load('mcp:linear')] },
    { calls: [DISPATCH.call(CREATE, BUG)] },
    { text: 'Done.' },
    { calls: [DISPATCH.call(CREATE, { title: 'more' })] },
    { text: 'Done again.' },
  ];
  let asked = 0;
  const refusal = 'tools.1.defer_loading: Extra inputs are not permitted';
  const script = (request: RecordedRequest): Reply => {
    if (asked++ === 0) return { text: 'Wait.', calls: [way.load('mcp:github')] };
    if (!isPlain(request)) return { error: { status: 400, body: refusal } };
    return plain.shift() ?? { text: 'Nothing more.' };
  };
  await using server = await startModelServer({ script });
  const runs: Runs = [];
  const warnings: string[] = [];
  const fallbacks: unknown[] = [];
  const options = {
    ...foldOptions(runs),
    ...{ strategy: 'native' as const, capabilities: endpoint.capabilities, loads },
    onWarning: (text: string) => warnings.push(text),
  };
  const fold = () => createFold(options) as unknown as Fold<ToolSet>;
  const model = modelOn(server, endpoint);
  const settings = { ...endpoint.settings, maxRetries: 0 };
  const given = { onFallback: (fallback: unknown) => fallbacks.push(fallback) };
  const talk = new Conversation({ mode, route, model, fold, settings, with: given });
  await talk.say('Go.');
  await talk.say('And once more.');
  const raw = server.requests.map((request) => request.raw);
  return { raw, runs, warnings, fallbacks, requests: server.requests };
}

const ROWS = combinations({ endpoint: NATIVE_ENDPOINTS, mode: MODES, route: ROUTES });

for (const endpoint of NATIVE_ENDPOINTS) {
  describe(`a second round that refuses ${endpoint.form}, ${selection}`, () => {
    for (const { mode, route } of ROWS.filter((row) => row.endpoint === endpoint)) {
      test(`promise 62: goes on with dispatch, in the same bytes as steps: ${mode}, ${route}`, async () => {
        const inside = await play(endpoint, mode, route, 'model-call');
        const steps = await play(endpoint, mode, route, 'steps');
        assert.deepEqual(inside.raw, steps.raw);
        assert.deepEqual(
          inside.runs.map(({ tool, input }) => [tool, input]),
          [
            [CREATE, BUG],
            [CREATE, { title: 'more' }],
          ],
        );
        assert.equal(inside.fallbacks.length, steps.fallbacks.length);
        assert.deepEqual(inside.warnings, steps.warnings);
        assert.ok(inside.fallbacks.length >= 1);
      });
    }
  });
}
