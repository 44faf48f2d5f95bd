import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { describe, it } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { estimateTokens } from '@toolfold/core/internal/tool/tokens.ts';
import {
  APICallError,
  generateText,
  jsonSchema,
  type LanguageModel,
  stepCountIs,
  streamText,
  tool,
} from 'ai';
import fc from 'fast-check';
import { isQuick } from '../../test/combinations.test-support.ts';
import type { WireProvider } from '../wire/recorded-request.ts';
import {
  type ModelServer,
  type ModelServerOptions,
  type Reply,
  startModelServer,
} from './model-server.ts';

/** JSON values that the SDK accepts as a tool's input. It refuses these two keys at any depth. */
const acceptedJson = fc
  .jsonValue()
  .filter((value) => !/"(__proto__|constructor)"/.test(JSON.stringify(value)));

interface Endpoint {
  readonly name: string;
  readonly provider: WireProvider;
  readonly reasons: boolean;
  readonly model: (server: ModelServer) => LanguageModel;
}

const KEY = 'sk-not-to-be-recorded';

const ENDPOINTS: readonly Endpoint[] = [
  {
    name: '@ai-sdk/anthropic',
    provider: 'anthropic',
    reasons: true,
    model: (server) =>
      createAnthropic({ baseURL: server.baseUrl('anthropic'), apiKey: KEY })('claude-sonnet-4-5'),
  },
  {
    name: '@ai-sdk/openai responses',
    provider: 'openai-responses',
    reasons: true,
    model: (server) =>
      createOpenAI({ baseURL: server.baseUrl('openai-responses'), apiKey: KEY }).responses('gpt-5'),
  },
  {
    name: '@ai-sdk/openai chat',
    provider: 'openai-chat',
    reasons: false,
    model: (server) =>
      createOpenAI({ baseURL: server.baseUrl('openai-chat'), apiKey: KEY }).chat('gpt-4.1'),
  },
  {
    name: '@ai-sdk/openai-compatible',
    provider: 'openai-chat',
    reasons: true,
    model: (server) =>
      createOpenAICompatible({
        name: 'local',
        baseURL: server.baseUrl('openai-chat'),
        apiKey: KEY,
        includeUsage: true,
      })('local-model'),
  },
];

const tools = {
  add: tool({
    description: 'Adds two numbers.',
    inputSchema: jsonSchema<{ a: number; b: number }>({
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    }),
    execute: ({ a, b }) => a + b,
  }),
  say: tool({
    inputSchema: jsonSchema<Record<string, unknown>>({ type: 'object' }),
    execute: (input) => input,
  }),
};

type Mode = 'generate' | 'stream';
const MODES: readonly Mode[] = ['generate', 'stream'];

// One interface for plain and streamed requests, so that every case runs in both.
async function ask(model: LanguageModel, mode: Mode, prompt = 'Go.') {
  const settings = { model, tools, prompt, maxRetries: 0, stopWhen: stepCountIs(5) };
  if (mode === 'generate') {
    const result = await generateText(settings);
    return { text: result.text, reasoning: result.reasoningText, steps: result.steps };
  }
  let failure: unknown;
  const result = streamText({
    ...settings,
    onError: ({ error }) => {
      failure = error;
    },
  });
  await result.consumeStream({ onError: () => {} });
  if (failure !== undefined) throw failure;
  return {
    text: await result.text,
    reasoning: await result.reasoningText,
    steps: await result.steps,
  };
}

async function withServer(
  options: ModelServerOptions,
  test: (server: ModelServer) => Promise<void>,
): Promise<void> {
  await using server = await startModelServer(options);
  await test(server);
}

for (const endpoint of ENDPOINTS) {
  for (const mode of MODES) {
    describe(`${endpoint.name}, ${mode}`, () => {
      it('gets text, finish reason and usage', () =>
        withServer({ script: [{ text: 'Good 😀 day' }] }, async (server) => {
          const { text, steps } = await ask(endpoint.model(server), mode);
          assert.equal(text, 'Good 😀 day');
          assert.equal(steps[0]?.finishReason, 'stop');
          assert.ok((steps[0]?.usage.inputTokens ?? 0) > 10);
          assert.equal(steps[0]?.usage.outputTokens, estimateTokens('Good 😀 day'));
          assert.equal(server.requests[0]?.provider, endpoint.provider);
          assert.equal(server.requests[0]?.stream, mode === 'stream');
        }));

      it('runs parallel calls after reasoning and text, and sends back what strict mode accepts', () =>
        withServer(
          {
            script: [
              {
                reasoning: 'Two sums.',
                text: 'Adding.',
                calls: [
                  { name: 'add', arguments: { a: 1, b: 2 } },
                  { name: 'add', arguments: '{ "b": 4, "a": 3 }' },
                ],
              },
              { text: 'Done.' },
            ],
          },
          async (server) => {
            const { text, steps } = await ask(endpoint.model(server), mode);
            assert.equal(text, 'Done.');
            assert.equal(steps[0]?.finishReason, 'tool-calls');
            assert.equal(steps[0]?.text, 'Adding.');
            assert.equal(steps[0]?.reasoningText, endpoint.reasons ? 'Two sums.' : undefined);
            assert.deepEqual(
              steps[0]?.toolResults.map(({ toolCallId, output }) => [toolCallId, output]),
              endpoint.provider === 'anthropic'
                ? [
                    ['toolu_1', 3],
                    ['toolu_2', 7],
                  ]
                : [
                    ['call_1', 3],
                    ['call_2', 7],
                  ],
            );
          },
        ));

      it('gets malformed arguments as an invalid call and carries on', () =>
        withServer(
          { script: [{ calls: [{ name: 'add', arguments: '{"a": 1, "b"' }] }, { text: 'Sorry.' }] },
          async (server) => {
            const { text, steps } = await ask(endpoint.model(server), mode);
            const call = steps[0]?.toolCalls[0];
            // Anthropic's plain form can only carry a JSON value: the raw text comes as a string,
            // which this tool's schema, having no validator, lets through.
            if (endpoint.provider === 'anthropic' && mode === 'generate') {
              assert.equal(call?.input, '{"a": 1, "b"');
            } else {
              assert.equal(call?.invalid, true);
            }
            assert.equal(text, 'Sorry.');
          },
        ));

      it('says why it ended early', async () => {
        for (const finishReason of ['length', 'content-filter'] as const) {
          await withServer({ script: [{ text: 'Well', finishReason }] }, async (server) => {
            const { steps } = await ask(endpoint.model(server), mode);
            assert.equal(steps[0]?.finishReason, finishReason);
          });
        }
      });

      it('fails with the status and message of an error reply', () =>
        withServer({ script: [{ error: { status: 429, body: 'Slow down.' } }] }, async (server) => {
          const error = await failureOf(ask(endpoint.model(server), mode));
          assert.ok(APICallError.isInstance(error));
          assert.equal(error.statusCode, 429);
          assert.equal(error.message, 'Slow down.');
        }));

      it('gets an error if the script has no more replies or throws', async () => {
        await withServer({ script: [] }, async (server) => {
          const error = await failureOf(ask(endpoint.model(server), mode));
          assert.match(String(error), /script ran out of replies/);
        });
        const script = (): Reply => {
          throw new Error('no idea');
        };
        await withServer({ script }, async (server) => {
          const error = await failureOf(ask(endpoint.model(server), mode));
          assert.match(String(error), /no idea/);
        });
      });

      it('loses the connection if the script says so', () =>
        withServer(
          { script: [{ text: 'x'.repeat(4000), chunkSize: 100, abortAfter: 6 }] },
          async (server) => {
            await assert.rejects(ask(endpoint.model(server), mode));
          },
        ));
    });
  }

  it(`${endpoint.name}: any cutting of a streamed reply gives the same text and call`, () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({ text: fc.string({ unit: 'binary', minLength: 1 }), note: acceptedJson }),
        fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 12 }),
        async (input, chunks, chunkSize) => {
          const text = `Sending 😀 "\\u00e9" ${'é'.repeat(5)}`;
          // Escapes and surrogate pairs on the wire: the cut may fall inside any of them.
          const escaped = JSON.stringify(input).replace(
            /[\u0080-\uffff]/g,
            (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
          );
          for (const written of [JSON.stringify(input), escaped]) {
            const call = { name: 'say', arguments: written };
            const script: Reply[] = [{ text, calls: [call], chunks, chunkSize }, { text: 'ok' }];
            await withServer({ script }, async (server) => {
              const { steps } = await ask(endpoint.model(server), 'stream');
              assert.equal(steps[0]?.text, text);
              assert.deepEqual(steps[0]?.toolCalls[0]?.input, JSON.parse(written));
            });
          }
        },
      ),
      { numRuns: isQuick ? 5 : 15 },
    ));
}

describe('the model server', () => {
  it('records requests without keys, as exact text, and as lines for the audit', () =>
    withServer({ script: () => ({ text: 'ok' }) }, async (server) => {
      for (const endpoint of ENDPOINTS) await ask(endpoint.model(server), 'generate');
      assert.equal(server.requests.length, 4);
      for (const request of server.requests) {
        assert.doesNotMatch(JSON.stringify(request), new RegExp(KEY));
        assert.deepEqual(JSON.parse(request.raw), request.body);
      }
      assert.equal(server.requests[0]?.headers['anthropic-version'], '2023-06-01');
      const lines = server.toJsonl().trimEnd().split('\n');
      assert.deepEqual(
        lines.map((line) => JSON.parse(line)),
        server.requests.map(({ provider, url, body }) => ({ provider, url, body })),
      );
    }));

  it('holds an answer until the script releases it', async () => {
    const gate = new EventEmitter();
    const script = [{ text: 'at last', hold: once(gate, 'open') }];
    await withServer({ script }, async (server) => {
      const [endpoint] = ENDPOINTS;
      assert.ok(endpoint);
      const answer = ask(endpoint.model(server), 'generate');
      while (server.requests.length === 0) await nextTurn(undefined);
      const state = await Promise.race([answer.then(() => 'answered'), nextTurn('waiting')]);
      assert.equal(state, 'waiting');
      gate.emit('open');
      assert.equal((await answer).text, 'at last');
    });
  });

  it('streams at the pace of the script', async () => {
    const gate = Promise.withResolvers<void>();
    const paced: number[] = [];
    const pace = (sent: number) => {
      paced.push(sent);
      return sent === 5 ? gate.promise : undefined;
    };
    await withServer({ script: [{ text: 'abcdef', chunkSize: 1, pace }] }, async (server) => {
      const [endpoint] = ENDPOINTS;
      assert.ok(endpoint);
      let text = '';
      for await (const part of streamText({ model: endpoint.model(server), prompt: 'Go' })
        .textStream) {
        text += part;
        if (text === 'abc') {
          assert.equal(paced.at(-1), 5);
          gate.resolve();
        }
      }
      assert.equal(text, 'abcdef');
      assert.deepEqual(
        paced,
        paced.map((_, at) => at),
      );
    });
  });

  it('closes with requests open, and twice', async () => {
    const server = await startModelServer({ script: [{ hold: new Promise(() => {}) }] });
    const answer = post(server, '/messages', { messages: [] }).catch(() => 'cut');
    while (server.requests.length === 0) await nextTurn(undefined);
    await server.close();
    await server.close();
    assert.equal(await answer, 'cut');
  });

  it('continues the numbers of calls from the request, because another process may have served them', () =>
    withServer({ script: [{ calls: [{ name: 'say', arguments: {} }] }] }, async (server) => {
      const response = await post(server, '/messages', {
        messages: [
          { role: 'user', content: 'Go.' },
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: 'toolu_7', name: 'say', input: {} }],
          },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 'toolu_7', content: 'ok' }],
          },
        ],
      });
      assert.match(await response.text(), /"id":"toolu_8"/);
    }));

  it('refuses a script that it does not understand, with what it expects', async () => {
    for (const [script, text] of [
      [undefined, /"script".*a list of replies/],
      ['Hello.', /"script".*a list of replies/],
      [[{ txt: 'Hello.' }], /A reply of the script has no option "txt"\. Did you mean "text"/],
      [['Hello.'], /A reply of the script/],
      [[{ calls: [{ name: 'say', args: {} }] }], /A call of the script has no option "args"/],
      [[{ calls: [{ arguments: {} }] }], /"script\.calls"/],
      [[{ error: { code: 500 } }], /An error of the script has no option "code"/],
    ] as const)
      await assert.rejects(startModelServer({ script } as never), {
        code: 'invalid-option',
        message: text,
      });
    await withServer({ script: () => ({ txt: 'Hello.' }) as never }, async (server) => {
      const response = await post(server, '/messages', { messages: [] });
      assert.equal(response.status, 500);
      assert.match(await response.text(), /has no option .{0,2}txt/);
    });
  });

  it('refuses a protocol that it does not speak', () =>
    withServer({ script: [] }, async (server) => {
      assert.throws(() => server.baseUrl('openai' as never), {
        code: 'invalid-option',
        message: /no protocol "openai".*"openai-responses", "openai-chat"/,
      });
    }));

  it('answers 404 to other paths and 400 to a body that is not a JSON object', () =>
    withServer({ script: [] }, async (server) => {
      assert.equal((await post(server, '/elsewhere', {})).status, 404);
      assert.equal((await post(server, '/messages', [1])).status, 400);
    }));
});

function post(server: ModelServer, path: string, body: unknown): Promise<Response> {
  return fetch(`${server.baseUrl('anthropic')}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
}

function nextTurn<T>(value: T): Promise<T> {
  return new Promise((resolve) => setImmediate(resolve, value));
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return assert.fail('it did not fail');
}
