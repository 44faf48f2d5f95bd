import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createAgent } from '@toolfold/agent/internal/agent/agent.ts';
import type { AgentEvent } from '@toolfold/agent/internal/events/events.ts';
import { screenOf } from '@toolfold/agent/internal/events/screen.ts';
import { failureFacts } from '@toolfold/agent/internal/events/turn-error.ts';
import { failureLines } from './events.ts';

interface Answer {
  readonly status: number;
  readonly message: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How a turn ends whose request is answered so. Without an answer, nothing listens. */
async function endWith(context: TestContext, answer?: Answer) {
  const server = createServer((_, response) => {
    const { status = 0, message = '', type = 'error', headers = {} } = answer ?? {};
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ type: 'error', error: { type, message } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (answer) context.after(() => server.close());
  else await new Promise((resolve) => server.close(resolve));
  const model = createAnthropic({ apiKey: 'none', baseURL })('claude-sonnet-4-5');
  const events: AgentEvent[] = [];
  for await (const event of createAgent({ model, settings: { maxRetries: 0 } }).send('Hello'))
    events.push(event);
  const end = events.find((event) => event.type === 'end') ?? assert.fail();
  return { events, end, address: `${baseURL}/messages` };
}

const GO_ON = '/continue goes on with this turn.';

const CASES: readonly (readonly [
  name: string,
  answer: Answer | undefined,
  lines: readonly string[],
])[] = [
  [
    'a wrong address',
    { status: 404, message: 'Not Found' },
    [
      'The provider has no such address or model: ADDRESS (status 404): Not Found.',
      `Check --base-url or "providers" in the configuration, and the name of the model. ${GO_ON}`,
    ],
  ],
  [
    'a full context window',
    { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    [
      'The conversation does not fit into the context window of the model (status 400): prompt is too long: 210000 tokens > 200000 maximum.',
      '/compact shortens the conversation, and /continue goes on.',
    ],
  ],
  [
    'too many requests',
    { status: 429, message: 'Slow down.', headers: { 'retry-after': '30' } },
    [
      'The provider takes no more requests for now (status 429): Slow down.',
      `It may be asked again in 30 seconds. ${GO_ON}`,
    ],
  ],
  [
    'a quota of the plan that is used up',
    {
      ...{ status: 429, message: 'Check your plan.', type: 'insufficient_quota' },
      headers: { 'retry-after': '30' },
    },
    [
      'The quota of the plan with the provider is used up (status 429): Check your plan.',
      `Asking again does not help before that changes: check plan and billing there, or use another model. ${GO_ON}`,
    ],
  ],
  [
    'a quota that returns',
    { status: 429, message: 'Quota exceeded.', headers: { 'retry-after': '3601' } },
    [
      'The provider takes no more requests for now (status 429): Quota exceeded.',
      `It may be asked again in 61 minutes. ${GO_ON}`,
    ],
  ],
  [
    'an overloaded provider',
    { status: 529, message: 'Overloaded' },
    ['The provider cannot answer at present (status 529): Overloaded.', `Wait a little. ${GO_ON}`],
  ],
  [
    'a request that is not accepted',
    { status: 400, message: 'tools.0: unknown field' },
    ['The provider did not accept the request (status 400): tools.0: unknown field.', GO_ON],
  ],
  [
    'a damaged image',
    { status: 400, message: 'Could not process image' },
    [
      'The provider did not take a file of the conversation (status 400): Could not process image.',
      `From now on a line stands in the place of the files that came since the last answer. ${GO_ON}`,
    ],
  ],
  [
    'a failure of the provider',
    { status: 500, message: 'Internal error' },
    ['The provider failed (status 500): Internal error.', GO_ON],
  ],
  [
    'a server that does not run',
    undefined,
    [
      'Nothing listens on HOST: ADDRESS.',
      `Start the server of the model, or correct its address. ${GO_ON}`,
    ],
  ],
];

for (const [name, answer, lines] of CASES)
  test(`${name} is said in plain words, with the next step, live and in a session that is opened`, async (context) => {
    const { events, end, address } = await endWith(context, answer);
    const expected = lines.map((line) =>
      line.replace('ADDRESS', address).replace('HOST', new URL(address).host),
    );
    assert.deepEqual(failureLines({ ...end, facts: failureFacts(end.error) }, 'chat'), expected);
    const { error } = end;
    const plain = { name: error?.name, message: error?.message, ...failureFacts(error) };
    for (const shown of [end, { ...end, error: plain as never }]) {
      const [turn] = screenOf([...events.slice(0, -1), shown]).turns;
      assert.deepEqual(failureLines(turn?.end ?? {}, 'chat'), expected);
    }
  });

test('what a provider says about keys stays as it is, with the way to another key on each surface', async (context) => {
  const { end } = await endWith(context, { status: 401, message: 'invalid x-api-key' });
  const next = (surface: Parameters<typeof failureLines>[1]) => {
    const [first, ...lines] = failureLines(end, surface);
    assert.equal(first, end.error?.message);
    return lines.join();
  };
  assert.match(
    next('chat'),
    /^A chat reads keys only when it starts\. .* toolfold chat -c and the same options\. /,
  );
  assert.match(next('editor'), /^Toolfold reads keys only when the editor starts it\./);
  assert.equal(next('command'), 'Run the command again.');
});

test('what else than a turn failed is tried again in its own way', async (context) => {
  const { end } = await endWith(context, { status: 400, message: 'no such field' });
  const lines = failureLines(
    { ...end, facts: failureFacts(end.error) },
    'chat',
    '/compact tries it again.',
  );
  assert.equal(lines.at(-1), '/compact tries it again.');
});

test('a date says how long to wait, too', () => {
  const date = new Date(Date.now() + 60_000).toUTCString();
  const { wait = 0 } = failureFacts({
    url: 'http://127.0.0.1/',
    responseHeaders: { 'retry-after': date },
  });
  assert.ok(wait > 50 && wait <= 61, String(wait));
  assert.deepEqual(failureFacts({ url: 'http://u:p@127.0.0.1/b?key=c', responseHeaders: {} }), {
    address: 'http://127.0.0.1/b',
  });
});

test('an answer that breaks off is not the same as no answer', () => {
  const facts = { status: 200, address: 'http://127.0.0.1:1/messages' };
  const end = { error: 'Failed to process successful response', code: 'network', facts } as const;
  assert.deepEqual(failureLines(end, 'chat'), [
    'The answer of the provider broke off: http://127.0.0.1:1/messages.',
    `Check the network, and that the server runs. ${GO_ON}`,
  ]);
});

test('an answer that the SDK cannot read is told in plain words', () => {
  const told = (message: string) =>
    failureLines({ error: new Error(message), code: 'unknown' }, 'chat');
  assert.deepEqual(told('Response stream ended without a finish reason.'), [
    'The answer of the provider ended before it was complete.',
    GO_ON,
  ]);
  assert.deepEqual(told('JSON parsing failed: Text: {broken.\nError message: x'), [
    'The answer of the provider cannot be read: a part of it is no JSON.',
    GO_ON,
  ]);
});

test('where nothing listens, the line says what starts the server of a model', () => {
  const told = (address: string) =>
    failureLines(
      {
        error: new Error(`Cannot connect to API: connect ECONNREFUSED ${new URL(address).host}`),
        ...{ code: 'network', facts: { address } },
      },
      'command',
    );
  assert.deepEqual(told('http://127.0.0.1:11434/v1/chat/completions'), [
    'Nothing listens on 127.0.0.1:11434: http://127.0.0.1:11434/v1/chat/completions.',
    'Start Ollama: ollama serve. Run the command again.',
  ]);
  assert.match(told('http://localhost:1234/v1').join(), /lms server start/);
  assert.match(told('http://[::1]:8080/v1').join(), /llama-server/);
  assert.match(told('https://llm.example.com/v1').join(), /Check the address/);
});
