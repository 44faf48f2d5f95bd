import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { HttpServerEntry } from '../../src/config/config.ts';
import { observe } from '../server/server-connection.test-support.ts';

const limited = { timeout: 30_000 };
const GZIP = { 'content-encoding': 'gzip' };
const EVENTS = { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' };
const CHUNKED = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
const lost = (why: RegExp): RegExp =>
  new RegExp(`outcome of the call of a is unknown: .*was lost while it ran \\(.*${why.source}`);
const notJson = /answer cannot be used: it is not JSON/;
const late = /did not answer within 0.5 s/;

const result = (id: unknown, value: object = { content: [] }): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: value });

function head(headers: Readonly<Record<string, string | number>>, status = '200 OK'): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`;
}

function json(socket: Socket, body: string | Buffer, headers: object = {}, status?: string): void {
  const length = Buffer.byteLength(body);
  const all = { 'content-type': 'application/json', 'content-length': length, ...headers };
  socket.write(head(all, status));
  socket.write(body);
}

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const declares = (length: number): string =>
  head({ 'content-type': 'application/json', 'content-length': length });

/** What is written for a call, and what comes of it. */
interface Row {
  readonly answer: (socket: Socket, id: unknown) => unknown;
  readonly ends: 'fine' | RegExp;
}

const rows: Readonly<Record<string, Row>> = {
  'a reset before the answer': {
    answer: (socket) => socket.resetAndDestroy(),
    ends: lost(/fetch failed: /),
  },
  'a reset within the headers': {
    answer: (socket) => socket.write('HTTP/1.1 200 OK\r\nx', () => socket.resetAndDestroy()),
    ends: lost(/fetch failed: /),
  },
  'a reset within the body': {
    answer: (socket) => socket.write(`${declares(500)}{`, () => socket.resetAndDestroy()),
    ends: lost(/terminated|fetch failed: /),
  },
  'its half of the connection closed before the answer': {
    answer: (socket) => socket.end(),
    ends: lost(/fetch failed: other side closed/),
  },
  'its half of the connection closed within the body': {
    answer: (socket) => socket.end(`${declares(500)}{`),
    ends: lost(/terminated: other side closed/),
  },
  'headers byte by byte': {
    answer: async (socket, id) => {
      for (const byte of declares(result(id).length)) {
        socket.write(byte);
        await setImmediate();
      }
      socket.write(result(id));
    },
    ends: 'fine',
  },
  'headers without end': {
    answer: (socket) => socket.write('HTTP/1.1 200 OK\r\nx: 1\r\n'),
    ends: late,
  },
  'a header of 70 kB': {
    answer: (socket, id) => json(socket, result(id), { x: 'x'.repeat(70_000) }),
    ends: lost(/Headers Overflow/),
  },
  'a length that is too long': {
    answer: (socket, id) => socket.end(declares(result(id).length + 9) + result(id)),
    ends: lost(/terminated/),
  },
  'a length that is too short': {
    answer: (socket, id) => socket.write(declares(result(id).length - 9) + result(id)),
    ends: notJson,
  },
  'a length below zero': {
    answer: (socket, id) => socket.write(declares(-1) + result(id)),
    ends: lost(/Content-Length/i),
  },
  'a length of 2 GB and nothing': { answer: (socket) => socket.write(declares(2e9)), ends: late },
  'two lengths': {
    answer: (socket, id) => json(socket, result(id), { 'Content-Length': 3 }),
    ends: lost(/fetch failed: /),
  },
  'no length': {
    answer: (socket, id) => socket.end(head({ 'content-type': 'application/json' }) + result(id)),
    ends: 'fine',
  },
  'rubbish after the answer': {
    answer: (socket, id) => json(socket, `${result(id)} rubbish`),
    ends: notJson,
  },
  'a size of a chunk that is no number': {
    answer: (socket, id) => socket.write(`${head(CHUNKED)}zz\r\n${result(id)}`),
    ends: lost(/terminated: .*chunk size/),
  },
  'chunks that stop': {
    answer: (socket, id) => socket.write(head(CHUNKED) + chunk(result(id).slice(0, 9))),
    ends: late,
  },
  'chunks without an end': {
    answer: (socket, id) => socket.end(head(CHUNKED) + chunk(result(id))),
    ends: lost(/terminated: other side closed/),
  },
  'no HTTP': {
    answer: (socket) => socket.write('220 smtp ESMTP\r\n'),
    ends: lost(/fetch failed: /),
  },
  'a hint before the answer': {
    answer: (socket, id) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n');
      json(socket, result(id));
    },
    ends: 'fine',
  },
  'a status beyond all': {
    answer: (socket) => json(socket, 'odd', {}, '999 Odd'),
    ends: /with HTTP 999 Odd: odd\. The call was not repeated/,
  },
  gzip: { answer: (socket, id) => json(socket, gzipSync(result(id)), GZIP), ends: 'fine' },
  'gzip that is none': {
    answer: (socket, id) => json(socket, result(id), GZIP),
    ends: lost(/terminated: incorrect header check/),
  },
  'gzip cut off': {
    answer: (socket, id) => json(socket, gzipSync(result(id)).subarray(0, 30), GZIP),
    ends: notJson,
  },
  'a redirect to another server': {
    answer: (socket) =>
      json(socket, '', { location: 'http://example.com/mcp?x' }, '307 Temporary Redirect'),
    ends: /with HTTP 307 Temporary Redirect to http:\/\/example.com\/mcp\. .* Check its "url"/,
  },
  'a redirect to a file': {
    answer: (socket) => json(socket, '', { location: 'file:///etc/passwd' }, '307 Redirect'),
    ends: /with HTTP 307 Redirect to file:\/\/\/etc\/passwd/,
  },
  'a redirect without a target': {
    answer: (socket) => json(socket, '', {}, '302 Found'),
    ends: /with HTTP 302 Found\. /,
  },
  'no type': {
    answer: (socket, id) => json(socket, result(id), { 'content-type': '' }),
    ends: /Unexpected content type/,
  },
  'an event that is not finished': {
    answer: (socket, id) =>
      socket.write(`${head(EVENTS)}${chunk(`data: ${result(id)}\n`)}0\r\n\r\n`),
    ends: lost(/gave no answer: its stream ended/),
  },
  'an event behind rubbish': {
    answer: (socket, id) =>
      socket.write(head(EVENTS) + chunk(`data: rubbish\n\nevent: message\ndata:${result(id)}\n\n`)),
    ends: 'fine',
  },
  'a second response that nobody asked for': {
    answer: (socket, id) => {
      json(socket, result(id));
      json(socket, result(id));
    },
    ends: 'fine',
  },
};

function answer(socket: Socket, path: string, body: string): void {
  const { id, method } = body === '' ? {} : JSON.parse(body);
  const serverInfo = { name: 'raw', version: '1' };
  const started = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
  if (body === '') json(socket, '', {}, '405 Method Not Allowed');
  else if (id === undefined) json(socket, '', {}, '202 Accepted');
  else if (method === 'initialize') json(socket, result(id, started));
  else if (method === 'tools/list') json(socket, result(id, { tools: [{ name: 'a' }] }));
  else if (method === 'tools/call') rows[path]?.answer(socket, id);
  else json(socket, '', {}, '400 Bad Request');
}

/** Reads requests, and answers each. */
function serve(socket: Socket): void {
  let text = '';
  socket
    .on('error', () => {})
    .on('data', (data) => {
      text += data;
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
        if (text.length < end + 4 + length) return;
        const path = decodeURIComponent(/^\w+ \/(\S*)/.exec(text)?.[1] ?? '');
        answer(socket, path, text.slice(end + 4, end + 4 + length));
        text = text.slice(end + 4 + length);
      }
    });
}

suite('broken HTTP in a call, and a call after it', { concurrency: 8 }, () => {
  let server: Server;
  before(async () => {
    server = createServer({ allowHalfOpen: true }, serve).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => void server.close());

  for (const [name, { ends }] of Object.entries(rows)) {
    test(name, limited, async (context) => {
      const { port } = server.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/${encodeURIComponent(name)}`;
      const base = { kind: 'http', headers: new Map(), secrets: [] } as const;
      const entry: HttpServerEntry = {
        ...base,
        url,
        lifecycle: { callTimeout: ends === late ? 500 : 20_000 },
      };
      const { connection } = observe(context, entry);
      for (let calls = 0; calls < 2; calls += 1) {
        const call = connection.callTool('a', {});
        if (ends === 'fine') await call;
        else await assert.rejects(call, ends);
      }
    });
  }
});
