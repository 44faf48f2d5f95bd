import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { estimateTokens } from '@toolfold/core/internal/tool/tokens.ts';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { countBody } from '@toolfold/testing/internal/audit/count-body.ts';
import {
  type ModelServer,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type {
  RecordedRequest,
  WireProvider,
} from '@toolfold/testing/internal/wire/recorded-request.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import type { ToolSet } from 'ai';
import { createFold, type Fold, type RequestEvent } from '../../src/index.ts';
import { BRIDGE, DISPATCH, type Dialect } from '../scenarios.test-support.ts';
import { Talk } from '../talk.test-support.ts';

/** One transparent pixel, and the beginning of a document. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PDF = 'JVBERi0xLjQK';

/** Where a file of a result stands in the body of a request. */
type Place = 'result' | 'message' | 'nowhere';

interface On {
  readonly provider: WireProvider;
  readonly model: (baseURL: string) => LanguageModelV4;
  readonly image: Place;
  readonly pdf: Place;
}

const apiKey = 'test';
const chat = (baseURL: string, id: string) =>
  createOpenAICompatible({ name: 'local', baseURL, apiKey })(id);

const MODELS: Readonly<Record<string, On>> = {
  anthropic: {
    provider: 'anthropic',
    model: (baseURL) => createAnthropic({ baseURL, apiKey })('claude-sonnet-4-5'),
    image: 'result',
    pdf: 'result',
  },
  'a model without a row behind anthropic': {
    provider: 'anthropic',
    model: (baseURL) => createAnthropic({ baseURL, apiKey })('glm-5'),
    image: 'nowhere',
    pdf: 'nowhere',
  },
  responses: {
    provider: 'openai-responses',
    model: (baseURL) => createOpenAI({ baseURL, apiKey }).responses('gpt-4.1'),
    image: 'result',
    pdf: 'result',
  },
  chat: {
    provider: 'openai-chat',
    model: (baseURL) => createOpenAI({ baseURL, apiKey }).chat('gpt-4.1'),
    image: 'message',
    pdf: 'message',
  },
  'a compatible model that sees': {
    provider: 'openai-chat',
    model: (baseURL) => chat(baseURL, 'qwen3-vl'),
    image: 'message',
    pdf: 'nowhere',
  },
  'a compatible model': {
    provider: 'openai-chat',
    model: (baseURL) => chat(baseURL, 'qwen3'),
    image: 'nowhere',
    pdf: 'nowhere',
  },
};

const EAGER: Dialect = {
  ...DISPATCH,
  call: (name, input) => ({ name, arguments: input as object }),
};
const STRATEGIES = { dispatch: DISPATCH, bridge: BRIDGE, eager: EAGER } as const;

const block = { image: { type: 'image', data: PNG }, pdf: pdfBlock() } as const;

function pdfBlock(): object {
  return { type: 'resource', resource: { uri: 'file:///a.pdf', blob: PDF } };
}

/** Two results of one step: a file and a text. */
const ROWS = combinations({
  on: Object.keys(MODELS),
  kind: ['image', 'pdf'] as const,
  strategy: Object.keys(STRATEGIES) as (keyof typeof STRATEGIES)[],
  isError: [false, true],
  route: ['live', 'json', 'ui'] as const,
});

interface Found {
  readonly inResult: number;
  readonly inMessage: number;
  /** As a text of a result. */
  readonly asText: number;
}

/** Where the data stands in a body: in results, in other messages of the user, as text. */
function find({ provider, body }: RecordedRequest, data: string): Found {
  const entries = (provider === 'openai-responses' ? body.input : body.messages) as unknown[];
  const texts: string[] = [];
  const results: string[] = [];
  const others: string[] = [];
  const walk = (value: unknown, isResult: boolean): void => {
    if (Array.isArray(value)) for (const one of value) walk(one, isResult);
    if (Array.isArray(value) || typeof value !== 'object' || value === null) return;
    const entry = value as Record<string, unknown>;
    const inside =
      isResult ||
      entry.type === 'tool_result' ||
      entry.type === 'function_call_output' ||
      entry.role === 'tool';
    for (const [key, member] of Object.entries(entry)) {
      if (typeof member !== 'string') walk(member, inside);
      else if (!member.includes(data)) continue;
      else if (key === 'text' || key === 'content' || key === 'output') texts.push(member);
      else (inside ? results : others).push(member);
    }
  };
  walk(entries, false);
  return { inResult: results.length, inMessage: others.length, asText: texts.length };
}

async function talk(
  server: ModelServer,
  row: (typeof ROWS)[number],
  onRequest?: (event: RequestEvent) => void,
): Promise<void> {
  const on = MODELS[row.on] ?? assert.fail();
  const file = {
    name: 'file',
    inputSchema: { type: 'object' },
    execute: () => ({
      content: [{ type: 'text', text: 'here it is' }, block[row.kind]],
      isError: row.isError,
    }),
  };
  const plain = {
    name: 'plain',
    inputSchema: { type: 'object' },
    execute: () => ({ content: [{ type: 'text', text: 'plain' }] }),
  };
  const conversation = new Talk({
    mode: 'stream',
    route: row.route,
    handing: 'spread',
    model: on.model(server.baseUrl(on.provider)),
    fold: () =>
      createFold({
        strategy: row.strategy,
        groups: [
          {
            groupId: 'eye',
            toolNames: ['file', 'plain'],
            resultFormat: 'mcp',
            loader: async () => [file, plain],
          },
        ],
        onWarning: false,
        onRequest,
      }) as Fold<ToolSet>,
  });
  await conversation.say('Go.');
  await conversation.say('And?');
}

describe(`files of results go where the provider takes them, ${selection}`, () => {
  for (const [name, on] of Object.entries(MODELS))
    test(`promises 1 and 35: ${name}`, async () => {
      for (const row of ROWS.filter((one) => one.on === name)) {
        const { call } = STRATEGIES[row.strategy];
        const script = [
          { calls: [call('eye__file', {}), call('eye__plain', {})] },
          { text: 'Done.' },
          { text: 'Bye.' },
        ];
        await using server = await startModelServer({ script });
        const totals: number[] = [];
        await talk(server, row, ({ tokens }) => totals.push(tokens.total));
        const where = JSON.stringify(row);
        const counted = server.requests.map((one) => countBody(one, estimateTokens).total);
        assert.deepEqual(totals, counted, `promise 35: ${where}`);
        const report = auditPrefix(server.requests);
        assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
        const last = server.requests.at(-1) ?? assert.fail();
        const place = on[row.kind];
        // The SDK has no error with files.
        const isBehind = place === 'message' || (place === 'result' && row.isError);
        const expected: Found = {
          inResult: place === 'result' && !row.isError ? 1 : 0,
          inMessage: isBehind ? 1 : 0,
          asText: 0,
        };
        assert.deepEqual(find(last, row.kind === 'pdf' ? PDF : PNG), expected, where);
        assert.match(last.raw, /here it is/, where);
        // The SDK's provider calls a file without a name `data`.
        if (on.provider === 'openai-responses' && row.kind === 'pdf')
          assert.match(last.raw, /"filename":"a\.pdf"/, where);
        const isMarked = on.provider !== 'anthropic' || last.raw.includes('"is_error":true');
        assert.equal(isMarked, on.provider !== 'anthropic' || row.isError, where);
        if (place !== 'nowhere' && !isBehind) continue;
        const line = isBehind ? 'shown in the message behind the results' : 'cannot be shown';
        assert.ok(last.raw.includes(line), where);
      }
    });
});

describe('files of results', () => {
  test('behind the results of several calls stand in one message behind all of them', async () => {
    const { call } = DISPATCH;
    const calls = [call('eye__file', {}), call('eye__plain', {}), call('eye__file', { again: 1 })];
    await using server = await startModelServer({ script: [{ calls }, { text: 'Done.' }] });
    const row = { on: 'chat', kind: 'image', strategy: 'dispatch', isError: false } as const;
    await talk(server, { ...row, route: 'live' }).catch(() => {});
    const messages = server.requests[1]?.body.messages as { role: string; content: unknown }[];
    assert.deepEqual(
      messages.slice(-4).map(({ role }) => role),
      ['tool', 'tool', 'tool', 'user'],
    );
    const texts = JSON.stringify(messages.at(-1)?.content).match(/From the result of eye__file/g);
    assert.equal(texts?.length, 2);
  });

  test('an own row decides for a model', async () => {
    const execute = () => ({ content: [{ type: 'image', data: PNG }] });
    const tool = { name: 'file', inputSchema: { type: 'object' }, execute };
    const row = { provider: 'local.*', model: '*', inResult: [], inMessage: ['image/png'] };
    await using server = await startModelServer({
      script: [{ calls: [DISPATCH.call('eye__file', {})] }, { text: 'Done.' }],
    });
    const conversation = new Talk({
      mode: 'generate',
      route: 'live',
      handing: 'spread',
      model: chat(server.baseUrl('openai-chat'), 'qwen3'),
      fold: () =>
        createFold({
          strategy: 'dispatch',
          resultFiles: [row],
          groups: [
            {
              groupId: 'eye',
              toolNames: ['file'],
              resultFormat: 'mcp',
              loader: async () => [tool],
            },
          ],
        }) as Fold<ToolSet>,
    });
    await conversation.say('Go.');
    const last = server.requests.at(-1) ?? assert.fail();
    assert.deepEqual(find(last, PNG), { inResult: 0, inMessage: 1, asText: 0 });
  });
});
