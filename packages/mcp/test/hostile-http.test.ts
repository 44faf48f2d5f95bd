// test: slow, first, harm
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { after, before, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { connectServers } from '../src/pool/connect-servers.ts';
import type { ServerPool } from '../src/pool/contract.ts';
import { MAX_MESSAGE } from '../src/transport/messages.ts';
import { check, entriesOf, lifecycleOf, type Outcome, outcomes } from './hostile.test-support.ts';
import { ENV_SECRET, FLAG_SECRET, modes, textsFor } from './hostile-server.test-support.ts';

const limited = { timeout: 180_000 };
const MB = 1024 * 1024;

type Message = Record<string, unknown>;

/** The behaviour of an HTTP server for one method. */
interface HttpMode {
  readonly at: 'tools/list' | 'tools/call';
  readonly answer: (message: Message, response: ServerResponse) => unknown;
  readonly outcome: Outcome;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const EVENTS = { 'content-type': 'text/event-stream' };
const fine = (id: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'fine' }] } });

/** Bytes that the endless server wrote before it was disconnected. */
let endless = 0;

/** Repeats one piece for ever, as fast as it is read. */
function* forEver(piece: Buffer): Iterable<Buffer> {
  while (endless < 20 * MAX_MESSAGE) {
    endless += piece.length;
    yield piece;
  }
}

const simple = (status: number, headers: Record<string, string>, body: string) => {
  return (_message: Message, response: ServerResponse) =>
    response.writeHead(status, headers).end(body);
};

const httpModes: Readonly<Record<string, HttpMode>> = {
  'a bomb in gzip': {
    at: 'tools/list',
    answer: (_message, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(MAX_MESSAGE + 10 * MB, ' '), { level: 1 }));
    },
    outcome: { failed: /a message of more than 64 MB/ },
  },
  'a bomb in an error': {
    at: 'tools/list',
    answer: (_message, response) => {
      response.writeHead(500, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(30 * MB, 'x'), { level: 1 }));
    },
    outcome: { failed: /HTTP 500|xxx/ },
  },
  'an event without end': {
    at: 'tools/call',
    answer: async (_message, response) => {
      response.writeHead(200, EVENTS).write('data: ');
      // Fails when the reader disconnects, as expected.
      await pipeline(forEver(Buffer.alloc(MB, 'x')), response).catch(() => {});
    },
    outcome: { call: /lost while it ran \(it sent a message of more than 64 MB/ },
  },
  'comments before the answer': {
    at: 'tools/call',
    answer: ({ id }, response) => {
      response.writeHead(200, EVENTS).write(': comment\n\n'.repeat(500_000));
      response.end(`data: ${fine(id)}\n\n`);
    },
    outcome: { call: 'fine' },
  },
  'an answer in many lines and odd line ends': {
    at: 'tools/call',
    answer: ({ id }, response) => {
      const lines = JSON.stringify(JSON.parse(fine(id)), null, 1).split('\n');
      response
        .writeHead(200, EVENTS)
        .end(`${lines.map((line) => `data: ${line}`).join('\r')}\r\n\r\n`);
    },
    outcome: { call: 'fine' },
  },
  '202 without an answer': {
    at: 'tools/call',
    answer: simple(202, {}, ''),
    outcome: { call: /cannot be used: it is HTTP 202 without content/ },
  },
  'no content': {
    at: 'tools/call',
    answer: simple(204, {}, ''),
    outcome: { call: /cannot be used: it is HTTP 204 without content/ },
  },
  'an empty body': {
    at: 'tools/call',
    answer: simple(200, JSON_TYPE, ''),
    outcome: { call: /cannot be used: it is not JSON/ },
  },
  'only a notification': {
    at: 'tools/call',
    answer: simple(200, JSON_TYPE, '{"jsonrpc":"2.0","method":"notifications/message"}'),
    outcome: { call: /cannot be used: it is not an answer to the request/ },
  },
  'a page in HTML with secrets': {
    at: 'tools/call',
    answer: simple(200, { 'content-type': 'text/html' }, `<p>${ENV_SECRET}`),
    outcome: { call: /Unexpected content type: text\/html/ },
  },
  'a type with secrets': {
    at: 'tools/call',
    answer: simple(200, { 'content-type': `text/${ENV_SECRET}` }, 'x'),
    outcome: { call: /\[redacted\]/ },
  },
  'an error with secrets': {
    at: 'tools/call',
    answer: simple(500, {}, `bad header ${ENV_SECRET}`),
    outcome: { call: /bad header \[redacted\]/ },
  },
  'no access, with secrets': {
    at: 'tools/list',
    answer: simple(401, { 'www-authenticate': `Bearer realm="${ENV_SECRET}"` }, ENV_SECRET),
    outcome: { failed: /it needs a login/, state: 'needs-auth' },
  },
  'a stream that ends without an answer': {
    at: 'tools/call',
    answer: simple(200, EVENTS, ': nothing\n\n'),
    outcome: { call: /gave no answer: its stream ended/ },
  },
  'a stream that breaks off': {
    at: 'tools/call',
    answer: ({ id }, response) => {
      response
        .writeHead(200, EVENTS)
        .write(`data: ${fine(id).slice(0, 30)}`, () => response.destroy());
    },
    outcome: { call: /gave no answer: its stream ended/ },
  },
  'a body that breaks off': {
    at: 'tools/call',
    answer: ({ id }, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': '500' });
      response.write(fine(id).slice(0, 30), () => response.destroy());
    },
    outcome: { call: /error: / },
  },
  'a redirection to itself': {
    at: 'tools/call',
    answer: simple(307, { location: '?' }, ''),
    outcome: { call: /Redirect/ },
  },
};

/** Modes of the stdio server that have no counterpart over HTTP. */
const withoutHttp = /^says its secrets|flood of stderr|blank lines|closes its output|^close:/;

function reply(kind: string, mode: string, message: Message, response: ServerResponse): void {
  const own = httpModes[mode];
  if (own && own.at === message.method) {
    own.answer(message, response);
    return;
  }
  const texts = textsFor(modes[mode] ?? {}, message);
  if (message.id === undefined || message.method === undefined) response.writeHead(202).end();
  else if (kind === 'json') response.writeHead(200, JSON_TYPE).end([...texts].at(-1));
  else {
    // The stream stays open, so that only the answer can end the request.
    response.writeHead(200, EVENTS);
    for (const one of texts) response.write(`data: ${one}\n\n`);
  }
}

/** The open event stream of each server with the transport of 2024. */
const oneStreams = new Map<string, ServerResponse>();

/** The transport of 2024: GET opens one stream for all answers, which names the address for POST. */
function replyOnOneStream(mode: string, message: Message, response: ServerResponse): void {
  response.writeHead(202).end();
  const stream = oneStreams.get(mode);
  if (mode === 'its stream ends' && message.method === 'tools/call') stream?.end();
  else for (const one of textsFor(modes[mode] ?? {}, message)) stream?.write(`data: ${one}\n\n`);
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, kind = '', name = ''] = decodeURIComponent(request.url ?? '').split(/[/?]/);
  const mode = name.replaceAll('|', '/');
  if (request.method === 'GET' && kind === 'sse') {
    oneStreams.set(mode, response.writeHead(200, EVENTS));
    response.write(`event: endpoint\ndata: ${request.url}\n\n`);
  } else if (request.method === 'GET') {
    // Asks the client to reconnect at once, for ever.
    if (kind === 'json') response.writeHead(200, EVENTS).end('retry: 0\nid: 1\ndata:\n\n');
    else response.writeHead(405).end();
  } else if (request.method === 'POST') {
    const message = JSON.parse(await text(request));
    if (kind === 'sse') replyOnOneStream(mode, message, response);
    else reply(kind, mode, message, response);
  } else response.writeHead(405).end();
}

const shared = Object.entries(outcomes).filter(([mode]) => !withoutHttp.test(mode));
/** Modes that take long run only once. */
const heavy = /MB|million|00,000 (?:entries|levels)|20,000 tools|empty pages/;
/** Many messages do not fit in one JSON body. */
const cases: readonly (readonly [kind: string, mode: string, outcome: Outcome])[] = [
  ...shared
    .filter(([mode]) => !mode.includes('storm'))
    .map(([mode, outcome]) => ['json', mode, outcome] as const),
  ...shared
    .filter(([mode]) => !heavy.test(mode))
    .map(([mode, outcome]) => ['events', mode, outcome] as const),
  ...shared
    .filter(([mode]) => /^healthy|null|secrets|3,000|^call: (?!a storm)/.test(mode))
    .map(([mode, outcome]) => ['sse', mode, outcome] as const),
  ['sse', 'its stream ends', { call: /lost while it ran \(it ended its stream of events/ }],
  ...Object.entries(httpModes).map(([mode, { outcome }]) => ['own', mode, outcome] as const),
];

suite('hostile servers over HTTP, and a healthy one beside them', { concurrency: 4 }, () => {
  let server: Server;
  let connected: ServerPool;

  before(async () => {
    server = createServer((request, response) => void handle(request, response)).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const address = (kind: string, mode: string): object => ({
      type: kind === 'sse' ? 'sse' : 'http',
      url: `http://127.0.0.1:${port}/${kind}/${encodeURIComponent(mode.replaceAll('/', '|'))}?key=${encodeURIComponent('query-hunter2-x')}`,
      headers: { 'X-Key': ENV_SECRET, 'X-Flag': FLAG_SECRET },
    });
    const entries = cases.map(([kind, mode, outcome]) => [
      `${kind} ${mode}`,
      { ...address(kind, mode), ...(kind === 'sse' && lifecycleOf(outcome)) },
    ]);
    const servers = entriesOf({
      ...Object.fromEntries(entries),
      healthy: address('json', 'healthy'),
    });
    connected = await connectServers({ servers, settings: undefined }, { timeout: 150_000 });
  }, limited);

  after(async () => {
    await connected.close();
    server.closeAllConnections();
    server.close();
  }, limited);

  for (const [kind, mode, outcome] of cases) {
    const { http: call = outcome.call } = kind === 'sse' ? {} : outcome;
    const expected = call === undefined ? outcome : { ...outcome, call };
    test(`${kind}: ${mode}`, limited, () => check(connected, `${kind} ${mode}`, expected));
  }

  test('the output of a disconnected server is not read further', limited, () => {
    assert.ok(endless < MAX_MESSAGE + 40 * MB, `${endless} bytes`);
  });
});
