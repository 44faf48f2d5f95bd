import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import type { ToolSet } from 'ai';
import { createFold, type Fold } from '../../src/index.ts';
import { Conversation, type Mode, type Route } from '../conversation.test-support.ts';
import { dialectOf, modelOn, NATIVE_ENDPOINTS } from '../endpoints.test-support.ts';
import { foldOptions, type Runs } from '../folds.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { toolsOn } from '../wire.test-support.ts';

const GITHUB = 'github__create_issue';
const refused = (status = 400, body = 'tools.1.defer_loading: Extra inputs are not permitted') => ({
  error: { status, body },
});
/** Whether only `dispatch` sends such a request. */
const isPlain = (request: RecordedRequest) => toolsOn(request).includes('deferred_tool_call');

/** A server that refuses tools in mid-conversation, and the warnings of a fold that uses it. */
function world(endpoint: (typeof NATIVE_ENDPOINTS)[number], replies: Reply[]) {
  const warnings: string[] = [];
  const runs: Runs = [];
  const queue = [...replies];
  const script = (request: RecordedRequest): Reply =>
    isPlain(request) ? (queue.shift() ?? { text: 'Nothing more.' }) : refused();
  const fold = () =>
    createFold({
      ...foldOptions(runs),
      strategy: 'native',
      capabilities: endpoint.capabilities,
      onWarning: (text) => warnings.push(text),
    }) as unknown as Fold<ToolSet>;
  return { warnings, runs, script, fold };
}

const { call, load } = DISPATCH;
const CONVERSATION: Reply[] = [
  { calls: [load('mcp:github', 'create_issue')] },
  { calls: [call(GITHUB, { title: 'bug' })] },
  { text: 'Done.' },
  { calls: [call(GITHUB, { title: 'more' })] },
  { text: 'Done again.' },
];

for (const endpoint of NATIVE_ENDPOINTS) {
  describe(`an endpoint that refuses ${endpoint.form}`, () => {
    for (const mode of ['generate', 'stream'] as Mode[]) {
      for (const route of ['live', 'json', 'ui'] as Route[]) {
        test(`promise 42: gets dispatch in this and all later requests: ${mode}, ${route}`, async () => {
          const { warnings, runs, script, fold } = world(endpoint, CONVERSATION);
          await using server = await startModelServer({ script, strict: false });
          const model = modelOn(server, endpoint);
          const settings = { maxRetries: 0 };
          const talk = new Conversation({ mode, route, model, fold, settings });
          await talk.say('Go.');
          await talk.say('And more.');
          assert.deepEqual(
            runs.map(({ input }) => input),
            [{ title: 'bug' }, { title: 'more' }],
          );
          const sent = server.requests.filter(isPlain);
          const report = auditPrefix(sent);
          assert.ok(report.held, formatAuditReport(report));
          assert.equal(sent.length, 5);
          // Other processes read the refusal from the messages: only the first request was refused.
          assert.equal(server.requests.length, 6);
          const refusals = warnings.filter((text) => text.includes('refused'));
          assert.equal(refusals.length, 1);
          assert.match(refusals[0] ?? '', new RegExp(`${endpoint.form}.*HTTP 400: .*dispatch`));
        });
      }
    }
  });
}

describe('what counts as a refusal', () => {
  const [endpoint] = NATIVE_ENDPOINTS;
  assert.ok(endpoint);

  async function ask(script: (request: RecordedRequest) => Reply) {
    const { fold, warnings } = world(endpoint as typeof endpoint & object, []);
    await using server = await startModelServer({ script, strict: false });
    const model = modelOn(server, endpoint as typeof endpoint & object);
    const one = fold();
    const talk = new Conversation({
      mode: 'generate',
      route: 'live',
      model,
      fold: () => one,
      settings: { maxRetries: 0 },
    });
    const failure = await talk.say('Go.').then(
      () => undefined,
      (error: Error) => error,
    );
    const { strategy, reason } = one.explain(model);
    return { failure, warnings, requests: server.requests, strategy, reason };
  }

  test('promise 42: not a request that also fails without appended tools: the first error is thrown, and native is kept', async () => {
    const tooLong = (request: RecordedRequest) =>
      isPlain(request) ? refused(400, 'the other error') : refused(400, 'prompt is too long');
    const { failure, warnings, requests, strategy } = await ask(tooLong);
    assert.match(failure?.message ?? '', /prompt is too long/);
    assert.deepEqual([warnings, requests.length, strategy], [[], 2, 'native']);
  });

  test('not keys, limits or outages: Toolfold does not send these requests again', async () => {
    for (const status of [401, 429, 500]) {
      const { failure, requests, strategy } = await ask(() => refused(status, 'no'));
      assert.ok(failure);
      assert.deepEqual([requests.length, strategy], [1, 'native']);
    }
  });

  test('promise 42: a refusal is remembered and explained', async () => {
    const { failure, strategy, reason } = await ask((request) =>
      isPlain(request) ? { text: 'Fine.' } : refused(),
    );
    assert.equal(failure, undefined);
    assert.equal(strategy, 'dispatch');
    assert.match(reason, /instead of native: HTTP 400: .*Extra inputs/);
  });

  test('an endpoint that refuses only requests with appended tools gets a new epoch in mid-conversation', async () => {
    let answered = 0;
    const { failure, requests } = await ask((request) => {
      if (isPlain(request)) return { text: 'Done.' };
      return answered++ === 0
        ? { calls: [dialectOf('anthropic-inline').load('mcp:github', 'create_issue')] }
        : refused();
    });
    assert.equal(failure, undefined);
    const last = requests.at(-1);
    assert.ok(last && isPlain(last));
    assert.match(last.raw, /"parameters"|\\"parameters\\"/);
    assert.ok(!last.raw.includes('tool_addition'));
  });

  test('models without a known form get dispatch without an attempt', async () => {
    const { fold } = world(endpoint as typeof endpoint & object, []);
    const one = fold();
    const unknown = createFold({ ...foldOptions([]), strategy: 'native' });
    await using server = await startModelServer({ script: [] });
    const model = modelOn(server, endpoint as typeof endpoint & object, 'claude-opus-4-1');
    assert.equal(one.explain(model).strategy, 'native');
    const { strategy, reason } = unknown.explain(model);
    assert.equal(strategy, 'dispatch');
    assert.match(reason, /no form of native is known.*claude-opus-4-1/);
  });
});
