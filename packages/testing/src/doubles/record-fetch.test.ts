import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, type LanguageModel, streamText } from 'ai';
import { auditPrefix } from '../audit/audit-prefix.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { type RecordedCall, recordFetch } from './record-fetch.ts';

const apiKey = 'sk-never-to-be-written-0123456789';

async function fileIn(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(folder, { recursive: true }));
  return join(folder, 'requests.jsonl');
}

async function linesOf(file: string): Promise<RecordedCall[]> {
  const text = await readFile(file, 'utf8');
  assert.ok(!text.includes(apiKey) && (text === '' || text.endsWith('\n')));
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

const real: Record<string, (server: ModelServer, fetch: typeof globalThis.fetch) => LanguageModel> =
  {
    anthropic: (server, fetch) =>
      createAnthropic({ apiKey, fetch, baseURL: server.baseUrl('anthropic') })('claude-x'),
    'openai-responses': (server, fetch) =>
      createOpenAI({ apiKey, fetch, baseURL: server.baseUrl('openai-responses') }).responses('g'),
    'openai-chat': (server, fetch) =>
      createOpenAI({ apiKey, fetch, baseURL: server.baseUrl('openai-chat') }).chat('g'),
    compatible: (server, fetch) =>
      createOpenAICompatible({
        ...{ name: 'own', apiKey, fetch, baseURL: server.baseUrl('openai-chat') },
      })('g'),
  };

describe('recorded requests of the providers of the AI SDK', () => {
  for (const [name, modelOn] of Object.entries(real)) {
    test(`${name}: as they were sent, plain and streamed`, async (context) => {
      const file = await fileIn(context);
      await using server = await startModelServer({ script: () => ({ text: 'Hello.' }) });
      const model = modelOn(server, recordFetch(file));
      await generateText({ model, prompt: 'Hi.' });
      const { text } = streamText({
        model,
        messages: [
          { role: 'user', content: 'Hi.' },
          { role: 'assistant', content: 'Hello.' },
          { role: 'user', content: `My key is ${apiKey}.` },
        ],
      });
      assert.equal(await text, 'Hello.');
      const lines = await linesOf(file);
      const hidden = (body: unknown) =>
        JSON.parse(JSON.stringify(body).replaceAll(apiKey, '[redacted]'));
      assert.deepEqual(
        lines,
        server.requests.map(({ provider, body }, index) => {
          return { provider, url: lines[index]?.url, body: hidden(body) };
        }),
      );
      for (const [index, { url }] of lines.entries())
        assert.equal(new URL(url).pathname, server.requests[index]?.url);
      assert.equal(auditPrefix(lines).held, true);
    });
  }
});

const BODY = JSON.stringify({ model: 'm', messages: [] });
const init = { method: 'POST', body: BODY };

/** A `fetch` that returns a fixed response and records the requests. */
function echo(): { fetch: typeof globalThis.fetch; sent: string[] } {
  const sent: string[] = [];
  const fetch = async (...args: Parameters<typeof globalThis.fetch>) => {
    const request = new Request(...args);
    request.signal.throwIfAborted();
    sent.push(await request.text());
    return new Response('{}');
  };
  return { fetch, sent };
}

describe('arguments of fetch', () => {
  const url = 'https://api.example.com/v1/messages';
  const stream = (text = BODY): ReadableStream<Uint8Array> => new Blob([text]).stream() as never;
  const streamed = (text?: string) => ({ method: 'POST', body: stream(text), duplex: 'half' });
  const calls: [string, () => [string | URL | Request, object?]][] = [
    ['text', () => [url, init]],
    ['a URL object', () => [new URL(url), init]],
    ['bytes', () => [url, { ...init, body: new TextEncoder().encode(BODY) }]],
    ['a blob', () => [url, { ...init, body: new Blob([BODY]) }]],
    ['a stream', () => [url, streamed()]],
    ['a Request', () => [new Request(url, init)]],
    ['a Request with a stream', () => [new Request(url, streamed() as never)]],
    ['a Request and settings', () => [new Request(url, init), { headers: { a: 'b' } }]],
    ['a Request and another body', () => [new Request(url, streamed('{}') as never), init]],
  ];
  for (const [name, args] of calls) {
    test(`${name}: recorded, and sent as it is`, async () => {
      const calls: RecordedCall[] = [];
      const { fetch, sent } = echo();
      const recording = recordFetch((call) => calls.push(call), { fetch });
      const response = await recording(...(args() as Parameters<typeof fetch>));
      assert.equal(await response.text(), '{}');
      assert.deepEqual(sent, [BODY]);
      assert.deepEqual(calls, [{ provider: 'anthropic', url, body: JSON.parse(BODY) }]);
    });
  }

  test('other requests are sent without a record', async () => {
    const { fetch, sent } = echo();
    const recording = recordFetch(() => assert.fail('recorded'), { fetch });
    await recording('https://api.example.com/v1/models');
    await recording('https://api.example.com/v1/messages/count_tokens', init);
    await recording('https://api.example.com/v1/files', { ...init, body: new FormData() });
    await recording(url, { ...init, body: 'no JSON' });
    await recording(url, { ...init, body: '[]' });
    assert.equal(sent.length, 5);
  });

  test('a request aborted before it is sent is not recorded, and fails like fetch', async () => {
    const recording = recordFetch(() => assert.fail('recorded'), { fetch: echo().fetch });
    const signal = AbortSignal.abort(new Error('stopped'));
    for (const args of [
      [url, { ...init, signal }],
      [new Request(url, { ...init, signal })],
    ] as Parameters<typeof fetch>[]) {
      await assert.rejects(recording(...args), /stopped/);
    }
    const stop = new AbortController();
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(new TextEncoder().encode(BODY));
        stop.abort(new Error('stopped'));
      },
    });
    const body = { ...streamed(), body: endless, signal: stop.signal };
    await assert.rejects(recording(url, body as never), /stopped/);
  });

  test('a request aborted during the response is recorded, because the provider received it', async (context) => {
    const file = await fileIn(context);
    const asked = Promise.withResolvers<void>();
    await using server = await startModelServer({
      script: () => {
        asked.resolve();
        return { hold: new Promise(() => {}) };
      },
    });
    const stop = new AbortController();
    const model = real.anthropic?.(server, recordFetch(file)) ?? assert.fail();
    const answer = generateText({ model, prompt: 'Hi.', abortSignal: stop.signal });
    await asked.promise;
    stop.abort(new Error('stopped'));
    await assert.rejects(answer, /stopped/);
    assert.equal((await linesOf(file)).length, 1);
  });

  test('many concurrent requests of two recorders: whole lines, each request once', async (context) => {
    const file = await fileIn(context);
    const { fetch } = echo();
    const recorders = [recordFetch(file, { fetch }), recordFetch(file, { fetch })];
    const numbers = Array.from({ length: 60 }, (_, index) => index);
    await Promise.all(
      numbers.map((number) => {
        const body = JSON.stringify({ number, text: 'x'.repeat(100_000) });
        const sent = number % 3 === 0 ? streamed(body) : { ...init, body };
        return recorders[number % 2]?.(url, sent as never);
      }),
    );
    const lines = await linesOf(file);
    const found = lines.map(({ body }) => Number(body.number)).sort((a, b) => a - b);
    assert.deepEqual(found, numbers);
  });

  test('texts are recorded in the order in which they are sent', async () => {
    const order: unknown[] = [];
    const recording = recordFetch(({ body }) => order.push(body.number), { fetch: echo().fetch });
    const numbers = [1, 2, 3, 4];
    await Promise.all(
      numbers.map((number) => recording(url, { ...init, body: JSON.stringify({ number }) })),
    );
    assert.deepEqual(order, numbers);
  });
});

describe('secrets', () => {
  const recorded = async (url: string, given: object, body: object = {}): Promise<string> => {
    let line = '';
    const recording = recordFetch(
      (call) => {
        line = JSON.stringify(call);
      },
      { fetch: echo().fetch },
    );
    await recording(url, { method: 'POST', body: JSON.stringify(body), ...given });
    assert.ok(!line.includes(apiKey), line);
    return line;
  };

  test('of headers and address are not recorded', async () => {
    for (const headers of [
      { authorization: `Bearer ${apiKey}` },
      { 'x-api-key': apiKey },
      { cookie: `session=${apiKey}` },
      [['api-key', apiKey]],
      new Headers({ 'X-Goog-Api-Key': apiKey }),
    ]) {
      const line = await recorded(
        `https://api.example.com/${apiKey}/v1/messages?key=${apiKey}#${apiKey}`,
        {
          headers,
        },
      );
      assert.match(line, /"url":"https:\/\/api\.example\.com\/\[redacted\]\/v1\/messages"/);
    }
    const withPassword = new URL('https://api.example.com/v1/messages');
    withPassword.password = apiKey;
    await recorded(String(withPassword), {}).catch((error) =>
      assert.match(String(error), /credentials/),
    );
    await recorded(`https://api.example.com/${apiKey}/v1/messages`, {});
  });

  test('of MCP servers that the provider calls are not recorded; the rest of the body is', async () => {
    const url = 'https://api.example.com/v1/responses';
    const body = {
      mcp_servers: [
        { name: 's', url: `https://mcp.example.com/x?k=${apiKey}`, authorization_token: apiKey },
      ],
      tools: [
        {
          type: 'mcp',
          server_url: 'https://mcp.example.com/',
          headers: { a: apiKey },
          authorization: apiKey,
        },
        { type: 'function', name: 'log_in', parameters: { properties: { authorization: {} } } },
      ],
      input: [{ role: 'user', content: 'authorization: none' }],
    };
    const { body: kept } = JSON.parse(await recorded(url, {}, body));
    assert.deepEqual(kept.tools[1], body.tools[1]);
    assert.deepEqual(kept.input, body.input);
    assert.deepEqual(kept.mcp_servers, [
      { name: 's', url: 'https://mcp.example.com/x', authorization_token: '[redacted]' },
    ]);
  });
});

test('a file that cannot be written is an error at once, and a sink that throws fails the request', async (context) => {
  const file = join(await fileIn(context), 'none', 'requests.jsonl');
  assert.throws(() => recordFetch(file), { code: 'invalid-option', message: /cannot be recorded/ });
  const failing = recordFetch(
    () => {
      throw new Error('full');
    },
    { fetch: echo().fetch },
  );
  await assert.rejects(failing('https://api.example.com/v1/messages', init), /full/);
});

test('the format is taken from the option or the body if the address does not show it', async () => {
  const providers: string[] = [];
  const sink = ({ provider }: RecordedCall) => providers.push(provider);
  await recordFetch(sink, { fetch: echo().fetch, provider: 'openai-chat' })(
    'https://api.example.com/generate',
    init,
  );
  const vertex = JSON.stringify({ anthropic_version: 'vertex-2023-10-16', messages: [] });
  const raw = 'https://api.example.com/models/claude:streamRawPredict';
  await recordFetch(sink, { fetch: echo().fetch })(raw, { ...init, body: vertex });
  await recordFetch(sink, { fetch: echo().fetch })(
    'https://api.example.com/openai/v1/responses/?api-version=1',
    init,
  );
  assert.deepEqual(providers, ['openai-chat', 'anthropic', 'openai-responses']);
});

describe('a credential of the request in its body', () => {
  const key = 'tok_ABCDEFGH12345678';
  const url = 'https://api.example.com/v1/messages';
  const path = `sk-${key}`;
  const places: Readonly<Record<string, readonly [string, Record<string, string>, string]>> = {
    'a cookie': [url, { cookie: `theme=dark; session=${key}` }, key],
    'a parameter': [`${url}?key=${key}`, {}, key],
    'another parameter': [`${url}?access_token=${encodeURIComponent(key)}&x=1`, {}, key],
    'a password': [url.replace('//', `//me:${key}@`), {}, key],
    'a path': [url.replace('/v1', `/${path}/v1`), {}, path],
    'a header': [url, { 'x-api-key': key }, key],
  };
  for (const [name, [address, headers, secret]] of Object.entries(places))
    test(`is not recorded: ${name}`, async () => {
      const calls: RecordedCall[] = [];
      const recording = recordFetch((call) => calls.push(call), {
        fetch: async () => new Response(),
      });
      const bytes = Buffer.from(secret);
      const content = [secret, bytes.toString('base64'), bytes.toString('base64url')];
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
      await recording(address, { method: 'POST', headers, body });
      assert.equal(calls.length, 1);
      const shown = JSON.stringify(calls);
      for (const text of content) assert.ok(!shown.includes(text.replace(/=+$/, '')), shown);
    });
});
