import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StrategyChoice } from '@toolfold/core/internal/tool/strategies.ts';
import { estimateTokens } from '@toolfold/core/internal/tool/tokens.ts';
import { countBody } from '@toolfold/testing/internal/audit/count-body.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import type { ToolSet } from 'ai';
import { Conversation } from '../../test/conversation.test-support.ts';
import {
  dialectOf,
  ENDPOINTS,
  modelOn,
  NATIVE_ENDPOINTS,
} from '../../test/endpoints.test-support.ts';
import { foldOptions } from '../../test/folds.test-support.ts';
import { DISPATCH } from '../../test/scenarios.test-support.ts';
import { createFold, type Fold, type RequestEvent } from '../index.ts';

const { load, call } = DISPATCH;
const SCRIPT: Reply[] = [
  {
    reasoning: 'Let me think.',
    text: 'Loading.',
    calls: [load('mcp:github'), call('github__create_issue', { title: 'é' })],
  },
  {
    calls: [
      call('github__create_issue', { title: 5 }),
      call('nobody', {}),
      { name: 'ask', arguments: { question: 'q' } },
    ],
  },
  {
    calls: [
      { name: 'github__explode', arguments: {} },
      { name: 'deploy', arguments: { target: 'x' } },
    ],
  },
  { text: 'Done.' },
  { text: 'Bye.' },
];

const NATIVE_SCRIPT = (loader: string): Reply[] => [
  {
    reasoning: 'Let me think.',
    text: 'Loading.',
    calls: [
      { ...load('mcp:github', 'create_issue'), name: loader },
      { name: 'github__create_issue', arguments: { title: 'é' } },
    ],
  },
  { calls: [{ ...load('mcp:linear', 'create_issue', 'nothing'), name: loader }] },
  { calls: [{ name: 'linear__create_issue', arguments: { title: 5 } }] },
  { text: 'Done.' },
  { text: 'Bye.' },
];

describe('promise 35: the token ledger agrees with the recorded bodies, native', () => {
  for (const endpoint of NATIVE_ENDPOINTS) {
    test(`promise 35: ${endpoint.name}`, async () => {
      for (const stored of [true, false]) {
        const script = NATIVE_SCRIPT(dialectOf(endpoint.form).loader);
        await using server = await startModelServer({ script });
        const events: RequestEvent[] = [];
        const fold = createFold({
          ...foldOptions([]),
          groups: foldOptions([]).groups.filter(({ groupId }) => groupId !== 'mcp:flaky'),
          strategy: 'native',
          capabilities: endpoint.capabilities,
          onRequest: (event) => events.push(event),
        }) as unknown as Fold<ToolSet>;
        const settings = { providerOptions: { openai: { store: stored } } };
        const model = modelOn(server, endpoint);
        const talk = new Conversation({
          mode: 'stream',
          route: 'live',
          model,
          fold: () => fold,
          settings,
        });
        await talk.say('Go.');
        await talk.say('And?');
        server.requests.forEach((request, index) => {
          const { tokens, form } = events[index] ?? assert.fail();
          const { inline, bridges, loaded, system, messages, total } = tokens;
          assert.equal(form, endpoint.form);
          const counted = countBody(request, estimateTokens);
          const ledger = { tools: inline + bridges, loaded, system, messages, total };
          assert.deepEqual(ledger, { loaded: 0, ...counted }, `request ${index}, ${stored}`);
        });
        assert.ok((events.at(-1)?.tokens.loaded ?? 0) > 50);
      }
    });
  }
});

const STRATEGIES: readonly StrategyChoice[] = ['dispatch', 'inject', 'eager', 'bridge', 'lazy'];
const ROWS = combinations({
  endpoint: ENDPOINTS,
  strategy: STRATEGIES,
  mode: ['generate', 'stream'],
  route: ['live', 'ui'],
});

describe(`promise 35: the token ledger agrees with the recorded bodies, ${selection}`, () => {
  for (const endpoint of ENDPOINTS) {
    for (const strategy of STRATEGIES) {
      test(`promise 35: ${endpoint.name}, ${strategy}`, async () => {
        const rows = ROWS.filter((row) => row.endpoint === endpoint && row.strategy === strategy);
        for (const { mode, route } of rows) {
          await using server = await startModelServer({
            script: SCRIPT,
            strict: strategy !== 'eager',
          });
          const events: RequestEvent[] = [];
          const groups = foldOptions([]).groups.filter(({ groupId }) => groupId !== 'mcp:flaky');
          const onRequest = (event: RequestEvent) => events.push(event);
          const options = { ...foldOptions([]), groups, strategy, onRequest };
          const fold = () => createFold(options) as unknown as Fold<ToolSet>;
          const settings = { instructions: 'Be brief.', toolApproval: { deploy: 'denied' } };
          const model = modelOn(server, endpoint);
          const conversation = new Conversation({ mode, route, model, fold, settings });
          await conversation.say('Go.');
          await conversation.say('And?');
          assert.equal(events.length, server.requests.length);
          server.requests.forEach((request, index) => {
            const { inline, bridges, loaded, system, messages, total } =
              events[index]?.tokens ?? assert.fail();
            const counted = countBody(request, estimateTokens);
            const ledger = { tools: inline + bridges + loaded, system, messages, total };
            assert.deepEqual(ledger, counted, `${mode}, ${route}, request ${index}`);
          });
        }
      });
    }
  }
});
