// test: slow
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { combinations } from '@toolfold/testing/test/combinations.test-support.ts';
import { generateText, isStepCount, type ModelMessage, type ToolSet } from 'ai';
import { createFold, type Fold, type FoldOptions } from '../../src/index.ts';
import { PROVIDERS } from '../caching/providers.test-support.ts';
import {
  dialectOf,
  ENDPOINTS,
  type Endpoint,
  modelOn,
  NATIVE_ENDPOINTS,
} from '../endpoints.test-support.ts';
import { toolsOf, type UserLog } from '../request-folds.test-support.ts';
import { BRIDGE, DISPATCH, type Dialect } from '../scenarios.test-support.ts';
import { type StepPart, Talk } from '../talk.test-support.ts';

const newLog = (user: string): UserLog => ({ user, seen: [] });
const FIND = 'find_order';
const COUNT = 'count_ticket';

interface Spoken extends Endpoint {
  readonly capabilities?: FoldOptions<ToolSet>['capabilities'];
  readonly settings?: Readonly<Record<string, unknown>>;
}

interface Row {
  readonly endpoint: Spoken;
  readonly to: Dialect;
}

const ROWS: readonly Row[] = [
  ...ENDPOINTS.flatMap((endpoint) => [DISPATCH, BRIDGE].map((to) => ({ endpoint, to }))),
  ...NATIVE_ENDPOINTS.map((endpoint) => ({ endpoint, to: dialectOf(endpoint.form) })),
];

/** Where the fold of a request comes from. */
const FOLDS = ['shared', 'kept', 'fresh'] as const;

function foldsOf(options: FoldOptions<ToolSet>, from: (typeof FOLDS)[number]): () => Fold<ToolSet> {
  const shared = createFold({ ...options, tools: toolsOf(newLog('ada'), 'kept') });
  if (from === 'shared') return () => shared;
  return () => createFold({ ...options, tools: toolsOf(newLog('ada'), from) });
}

/** Three turns with searches, loads, calls, an invalid call and an unknown name. */
async function play({ endpoint, to }: Row, mode: 'generate' | 'stream', route: 'json' | 'ui') {
  const load =
    to.strategy === 'bridge'
      ? { name: to.loader, arguments: { names: [FIND] } }
      : to.load('app', FIND);
  const search = { name: 'tool_search', arguments: { query: 'count the tickets' } };
  const script: Reply[] = [
    { calls: [load] },
    { calls: [to.call(FIND, { id: 'a' })] },
    { text: 'One.' },
    ...(to.loader === 'tool_search' ? [] : [{ calls: [search] }]),
    { calls: [to.call(COUNT, { id: 5 })] },
    { calls: [to.call(COUNT, { id: 'b' }), to.call(FIND, { id: 'c', state: 'open' })] },
    { text: 'Two.' },
    { calls: [to.call('no_such_tool', {})] },
    { text: 'Three.' },
  ];
  const options: FoldOptions<ToolSet> = {
    ...{ strategy: to.strategy, onWarning: false },
    ...(endpoint.capabilities ? { capabilities: endpoint.capabilities } : {}),
  };
  const played: { bodies: string[]; parts: StepPart[]; ui: unknown }[] = [];
  for (const from of FOLDS) {
    await using server = await startModelServer({ script });
    const fold = foldsOf(options, from);
    const { settings = {} } = endpoint;
    const model = modelOn(server, endpoint);
    const talk = new Talk({ mode, route, handing: 'spread', model, fold, settings });
    for (const text of ['Go.', 'On.', 'And once more.']) await talk.say(text);
    assert.equal(server.requests.length, script.length, from);
    const report = auditPrefix(server.requests);
    assert.ok(report.held, `${from}: ${formatAuditReport(report)}`);
    const bodies = server.requests.map(({ raw }) => raw);
    const parts = JSON.parse(JSON.stringify(talk.parts));
    played.push({ bodies, parts, ui: route === 'ui' ? JSON.parse(JSON.stringify(talk.ui)) : [] });
  }
  const [shared, ...others] = played;
  for (const other of others) assert.deepEqual(other, shared);
}

suite('messages in a store of JSON', () => {
  const rows = combinations({
    row: ROWS,
    mode: ['generate', 'stream'] as const,
    route: ['json', 'ui'] as const,
  });
  for (const row of ROWS)
    test(`shared folds and a fold for each request send the same bytes, ${row.endpoint.name}, ${row.to.strategy}`, async () => {
      for (const { mode, route } of rows.filter((one) => one.row === row))
        await play(row, mode, route);
    });

  test('every provider package gets the same bodies, which continue each other', async () => {
    const [endpoint] = ENDPOINTS as readonly [Endpoint];
    const script: Reply[] = [
      { calls: [DISPATCH.load('app', FIND)] },
      { calls: [DISPATCH.call(FIND, { id: 'a' })] },
      { text: 'One.' },
    ];
    await using server = await startModelServer({ script });
    const fold = createFold({ tools: toolsOf(newLog('ada'), 'kept'), strategy: 'dispatch' });
    const begun: ModelMessage[] = [{ role: 'user', content: 'Go.' }];
    const { responseMessages } = await generateText({
      ...fold.with(modelOn(server, endpoint)),
      ...{ messages: begun, stopWhen: isStepCount(5) },
    });
    const stored = JSON.stringify([...begun, ...responseMessages]);
    for (const provider of PROVIDERS) {
      const bodies: string[][] = [];
      for (const from of FOLDS) {
        const sent: string[] = [];
        const model = provider.model(async (_, init) => {
          sent.push(String(init?.body));
          return new Response('{"message":"recorded"}', { status: 400 });
        });
        const folds = foldsOf({ strategy: 'dispatch', onWarning: false }, from);
        for (const text of ['On.', 'And once more.']) {
          const messages: ModelMessage[] = [...JSON.parse(stored), { role: 'user', content: text }];
          const request = { ...folds().with(model), messages, maxRetries: 0 };
          await generateText(request).catch(() => {});
        }
        assert.equal(sent.length, 2, provider.name);
        bodies.push(sent);
        // Two answers to one conversation differ in the last message alone.
        const [one, other] = sent.map((body) => body.replaceAll(/On\.|And once more\./g, '…'));
        assert.equal(one, other, provider.name);
      }
      const [shared, ...others] = bodies;
      for (const other of others) assert.deepEqual(other, shared, provider.name);
    }
  });
});
