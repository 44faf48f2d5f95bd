import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ToolState } from '@toolfold/core/internal/request';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import {
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  wrapLanguageModel,
} from 'ai';
import { createFold } from '../src/index.ts';
import { PROVIDERS } from './caching/providers.test-support.ts';
import { ENDPOINTS, type Endpoint, modelOn } from './endpoints.test-support.ts';
import { NAMES, type Schemas, toolsOf, type UserLog } from './request-folds.test-support.ts';
import { DISPATCH } from './scenarios.test-support.ts';
import { resultsOn } from './wire.test-support.ts';

const newLog = (user: string): UserLog => ({ user, seen: [] });
const FIND = 'find_order';
const COUNT = 'count_ticket';

interface Turns {
  readonly strategy: 'auto' | 'dispatch' | 'bridge';
  readonly keeps: 'no state' | 'the first state' | 'the last state';
}

/**
 * Three turns, each with a fold of its own: from the second on there is a tool `added`, and none of the name
 * `COUNT`. Resolves to the changes that hosts are told about.
 */
async function goOn(model: LanguageModel, { strategy, keeps }: Turns): Promise<unknown[]> {
  const changes: unknown[] = [];
  const names = [...NAMES.filter((name) => name !== COUNT), 'added'];
  let messages: ModelMessage[] = [];
  let state: ToolState | undefined;
  for (const now of [NAMES, names, names]) {
    const fold = createFold({
      ...{ tools: toolsOf(newLog('ada'), 'fresh', now), strategy, onWarning: false },
      onRequest: ({ toolsChanged }) => toolsChanged && changes.push(toolsChanged),
    });
    const options = state ? { state } : {};
    messages = [...messages, { role: 'user', content: 'Go on.' }];
    const request = { ...fold.with(model, options), messages, stopWhen: isStepCount(5) };
    const { responseMessages } = await generateText(request);
    messages = JSON.parse(JSON.stringify([...messages, ...responseMessages]));
    if (keeps === 'no state' || (state && keeps === 'the first state')) continue;
    state = JSON.parse(JSON.stringify(await fold.state(model, messages, options)));
  }
  return changes;
}

suite('a fold for each request', () => {
  test('users whose tools differ in functions alone never reach those of another', async () => {
    const script = (id: string): Reply[] => [
      { calls: [{ name: 'tool_search', arguments: { query: 'orders of a customer' } }] },
      { calls: [DISPATCH.load('app', FIND)] },
      { calls: [DISPATCH.call(FIND, { id }), DISPATCH.call(COUNT, { id })] },
      { text: 'Done.' },
    ];
    const conversation = async (number: number, schemas: Schemas) => {
      const log = newLog(number % 2 === 0 ? 'ada' : 'bob');
      const { user, seen } = log;
      const id = `record ${number}`;
      await using server = await startModelServer({ script: [...script(id), ...script(id)] });
      const [endpoint] = ENDPOINTS as readonly [Endpoint];
      let messages: ModelMessage[] = [];
      for (const turn of ['first', 'second']) {
        // A fold and functions of their own for each request.
        const fold = createFold({
          tools: toolsOf(log, schemas),
          strategy: 'dispatch',
          onCall: ({ name }) => seen.push(`${user} is told of ${name}`),
          hide: (text) => text.replaceAll(user, `${user}, hidden`),
        });
        const beforeToolCall = ({ name }: { readonly name: string }) => {
          seen.push(`${user} decides ${name}`);
          return undefined;
        };
        messages = [...messages, { role: 'user', content: `${turn} of ${user}` }];
        const { responseMessages } = await generateText({
          ...fold.with(modelOn(server, endpoint), { hooks: { beforeToolCall } }),
          ...{ messages, stopWhen: isStepCount(5) },
        });
        messages = JSON.parse(JSON.stringify([...messages, ...responseMessages]));
      }
      const other = user === 'ada' ? 'bob' : 'ada';
      assert.ok(seen.length > 0 && seen.every((text) => text.startsWith(`${user} `)), `${seen}`);
      for (const name of [FIND, COUNT])
        for (const verb of [
          'runs',
          'writes',
          'decides',
          ...(schemas === 'fresh' ? ['checks'] : []),
        ])
          assert.ok(
            seen.some((text) => text.startsWith(`${user} ${verb} ${name}`)),
            `${verb} ${name}: ${seen}`,
          );
      const sent = server.requests.map(({ raw }) => raw).join('\n');
      assert.ok(!sent.includes(other), 'the other user is in a request');
      assert.equal(resultsOn(server.requests.at(-1) ?? assert.fail()).length, 8);
    };
    // Two of one user and two of the other, in turns.
    const schemasOf = (number: number) => (number % 4 < 2 ? 'kept' : 'fresh');
    const numbers = Array.from({ length: 45 }, (_, number) => number);
    await Promise.all(numbers.map((number) => conversation(number, schemasOf(number))));
  });

  test('what a provider package or middleware changes in a request is in no other', async () => {
    const sent: string[] = [];
    const [provider] = PROVIDERS;
    for (const change of [true, false]) {
      const model = provider?.model(async (_, init) => {
        sent.push(String(init?.body));
        return new Response('{"message":"recorded"}', { status: 400 });
      });
      const fold = createFold({ tools: toolsOf(newLog('ada'), 'kept'), strategy: 'eager' });
      const changing = wrapLanguageModel({
        model: model as never,
        middleware: {
          specificationVersion: 'v4',
          transformParams: async ({ params }) => {
            for (const tool of params.tools ?? [])
              if (change && tool.type === 'function')
                Object.assign(tool.inputSchema.properties?.id ?? {}, { description: 'changed' });
            return params;
          },
        },
      });
      await generateText({ ...fold.with(changing), prompt: 'Go.', maxRetries: 0 }).catch(() => {});
    }
    assert.equal(sent.length, 2);
    assert.match(sent[0] ?? '', /changed/);
    assert.doesNotMatch(sent[1] ?? '', /changed/);
  });

  for (const keepsState of [false, true]) {
    const title = keepsState
      ? 'tools that change between requests break no prefix where the app keeps the state'
      : 'tools that change between requests begin one new epoch, and every call has its result';
    test(title, async () => {
      const { call } = DISPATCH;
      const script: Reply[] = [
        { calls: [call(FIND, { id: 'a' })] },
        { text: 'One.' },
        { calls: [call('added', { id: 'b' }), call(COUNT, { id: 'c' }), call(FIND, { id: 'd' })] },
        { text: 'Two.' },
        { text: 'Three.' },
      ];
      for (const endpoint of ENDPOINTS) {
        await using server = await startModelServer({ script });
        const keeps = keepsState ? 'the last state' : 'no state';
        await goOn(modelOn(server, endpoint), { strategy: 'dispatch', keeps });
        const report = auditPrefix(server.requests);
        assert.equal(report.totals.breaks, keepsState ? 0 : 1, formatAuditReport(report));
        const results = resultsOn(server.requests.at(-1) ?? assert.fail()).map(({ text }) => text);
        assert.equal(results.length, 4);
        assert.match(results[1] ?? '', /"name":"added"/);
        assert.match(results[2] ?? '', keepsState ? /tool_removed/ : /unknown_tool/);
        assert.match(results[3] ?? '', /"id":"d"/);
      }
    });
  }

  for (const strategy of ['auto', 'dispatch', 'bridge'] as const)
    test(`${strategy}: tools that differ from those of the state are announced once`, async () => {
      const bridged = { name: 'tool_call', arguments: { name: COUNT, arguments: { id: 'a' } } };
      const script: Reply[] = [
        { text: 'One.' },
        { calls: [strategy === 'bridge' ? bridged : DISPATCH.call(COUNT, { id: 'a' })] },
        { text: 'Two.' },
        { text: 'Three.' },
      ];
      for (const endpoint of ENDPOINTS) {
        await using server = await startModelServer({ script });
        const options = { strategy, keeps: 'the first state' } as const;
        const changes = await goOn(modelOn(server, endpoint), options);
        const report = auditPrefix(server.requests);
        assert.ok(report.held, formatAuditReport(report));
        const last = server.requests.at(-1) ?? assert.fail();
        assert.equal(last.raw.split('[Notice from').length - 1, 1);
        assert.match(
          last.raw,
          /added to app:\\n {2}added: Use added for records of the company\\n/,
        );
        assert.match(last.raw, new RegExp(`removed from app: ${COUNT}; do not call them`));
        assert.match(resultsOn(last)[0]?.text ?? '', /tool_removed/);
        assert.deepEqual(changes, [{ added: ['added'], removed: [COUNT] }]);
      }
    });
});
