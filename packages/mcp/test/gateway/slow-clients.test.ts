// test: slow
import assert from 'node:assert/strict';
import { EventEmitter, on } from 'node:events';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import type { Gateway } from '../../src/gateway/gateway.ts';
import { serveHttp } from '../../src/gateway-clients/http-server.ts';
import { serveStreams } from '../../src/gateway-clients/stdio.ts';
import { Watch } from '../server/watch.test-support.ts';
import { HttpClient } from './raw-client.test-support.ts';
import type { Json } from './raw-server.test-support.ts';
import { openClient, openGateway, StreamClient } from './scene.test-support.ts';

const limited = { timeout: 120_000 };

/** Megabytes of a flood: more than the gateway keeps for a client that does not read. */
const FLOOD = 40;

/** Sends as much as it is told, as progress or as logs, and answers. */
const SOURCE = {
  before: `const send = (message, count) => new Promise((resolve) => {
    const next = () => {
      for (; count > 0; count--) if (!process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')) break;
      if (count === 0) resolve(); else { count--; process.stdout.once('drain', next); }
    };
    next();
  });
  const megabyte = 'x'.repeat(1024 * 1024);`,
  tools:
    "['progress', 'log', 'result', 'fine'].map((name) => ({ name, inputSchema: { type: 'object' } }))",
  call: `const { id, params } = message;
    const { progressToken } = params._meta ?? {};
    const { name, arguments: { megabytes = 0 } } = params;
    const notices = {
      progress: { method: 'notifications/progress', params: { progressToken, progress: 1, message: megabyte } },
      log: { method: 'notifications/message', params: { level: 'info', data: megabyte } },
    };
    const text = name === 'result' ? megabyte.repeat(megabytes) : 'done';
    if (name === 'result' && progressToken)
      say({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    const sent = notices[name] ? send(notices[name], megabytes) : Promise.resolve();
    sent.then(() => say({ id, result: { content: [{ type: 'text', text }] } }));`,
};

interface Scene {
  readonly gateway: Gateway;
  /** Resolves when the gateway logs a line that matches. */
  logged(pattern: RegExp): Promise<string>;
}

async function open(context: TestContext): Promise<Scene> {
  const watch = await Watch.begin(context);
  const lines: string[] = [];
  const log = new EventEmitter();
  const servers = { odd: await watch.entry(SOURCE), other: await watch.entry(SOURCE) };
  const gateway = openGateway(context, servers, {
    mode: 'eager',
    log: (line) => {
      lines.push(line);
      log.emit('line');
    },
  });
  return {
    gateway,
    logged: async (pattern) => {
      const events = on(log, 'line');
      for (;;) {
        const found = lines.find((line) => pattern.test(line));
        if (found !== undefined) return found;
        await events.next();
      }
    },
  };
}

const call = (id: number, name: string, megabytes: number): Json => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: { megabytes }, _meta: { progressToken: 'mine' } },
});

const HANDSHAKE = {
  ...{ jsonrpc: '2.0', id: 'begin', method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {} },
};

/** A client on stdio that sends messages after its handshake and reads nothing. */
function silentStreams(gateway: Gateway, messages: readonly Json[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  const served = serveStreams(gateway, input, output, new AbortController().signal);
  for (const message of [HANDSHAKE, ...messages]) input.write(`${JSON.stringify(message)}\n`);
  return { input, output, served };
}

const megabytesOf = ({ writableLength, readableLength }: PassThrough): number =>
  (writableLength + readableLength) / 1024 / 1024;

for (const kind of ['progress', 'log'])
  test(
    `a client on stdio that does not read: ${kind} does not pile up`,
    limited,
    async (context) => {
      const { gateway, logged } = await open(context);
      const { input, output, served } = silentStreams(gateway, [call(1, `odd__${kind}`, FLOOD)]);
      await logged(/^"odd__.*answered/);
      assert.ok(megabytesOf(output) < 12, `${megabytesOf(output)}`);
      const other = new StreamClient(gateway, { era: 'legacy' });
      await other.begin();
      assert.ok((await other.call('other__fine')).result);
      await other.close();
      // The answer is there when the client reads.
      let text = '';
      for await (const part of output) {
        text += part;
        if (text.includes('"id":1}')) break;
      }
      assert.match(text, /"text":"done"/);
      input.end();
      await served;
    },
  );

test(
  'a client on stdio that reads nothing of its results is given up',
  limited,
  async (context) => {
    const { gateway, logged } = await open(context);
    // All are read before the first is answered.
    const calls = [1, 2, 3].map((id) => call(id, 'odd__result', FLOOD));
    const { served } = silentStreams(gateway, calls);
    await logged(/does not read/);
    await served;
    const next = await openClient(context, gateway, 'stdio', { era: 'legacy' });
    assert.ok((await next.call('odd__fine')).result);
  },
);

/** A client over HTTP that sends a request and reads nothing. */
function silent(context: TestContext, url: string, message: Json, headers: Json): Socket {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1').pause();
  context.after(() => socket.destroy());
  const body = JSON.stringify(message);
  const lines = Object.entries({
    ...{ host: '127.0.0.1', 'content-type': 'application/json' },
    ...{ accept: 'application/json, text/event-stream', 'content-length': body.length },
    ...headers,
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.on('error', () => {}).write(`POST /mcp HTTP/1.1\r\n${head}\r\n${body}`);
  return socket;
}

test(
  'a client over HTTP that does not read its stream is given up, and others are not affected',
  limited,
  async (context) => {
    const { gateway, logged } = await open(context);
    const health = (): never => gateway.health() as never;
    const access = { host: '127.0.0.1', port: 0, token: undefined };
    const server = await serveHttp(gateway, { ...access, schemaOf: gateway.schemaOf, health });
    context.after(() => server.close());
    const other = new HttpClient(server.url, { era: 'legacy' });
    context.after(() => other.close());
    await other.begin();
    const headers = { 'mcp-session-id': other.session };
    silent(context, server.url, call(99, 'odd__progress', FLOOD), headers);
    await logged(/^"odd__progress.*cancelled/);
    assert.ok((await other.call('other__fine')).result);
    // A long result after a notice is one message of a stream.
    const response = await fetch(server.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': other.session ?? assert.fail(),
      },
      body: JSON.stringify(call(100, 'odd__result', FLOOD)),
    });
    const text = await response.text();
    assert.match(text.slice(0, 1000), /notifications\/progress/);
    assert.ok(text.length > FLOOD * 1024 * 1024, String(text.length));
  },
);
