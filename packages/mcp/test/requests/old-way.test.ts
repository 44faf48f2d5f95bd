import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type { CallHost } from '@toolfold/core/internal/tool/call-host.ts';
import type { HttpServerEntry } from '../../src/config/config.ts';
import { ServerRequests } from '../../src/requests/server-requests.ts';
import { observe } from '../server/server-connection.test-support.ts';

const limited = { timeout: 30_000 };

const JSON_TYPE = { 'content-type': 'application/json' };
const EVENTS = { 'content-type': 'text/event-stream' };
const kept = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const message =
  "Cannot send 'elicitation/create': this transport context has no back-channel for server-initiated requests.";

type Message = Record<string, unknown> & { readonly method?: string };
/** Answers a call on a connection of 2026-07-28. */
type OnCall = (call: Message, response: ServerResponse) => unknown;

interface Scene {
  readonly entry: HttpServerEntry;
  readonly received: Message[];
  /** The first answer of the client to a question. */
  readonly answered: Promise<Message>;
}

/** A server of both revisions. Calls of older revisions succeed. */
async function start(context: TestContext, onCall: OnCall, onAnswer = 202): Promise<Scene> {
  const received: Message[] = [];
  const { promise: answered, resolve } = Promise.withResolvers<Message>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const one: Message = body === '' ? {} : JSON.parse(body);
    received.push(one);
    if (one.result !== undefined) resolve(one);
    const isModern = request.headers['mcp-protocol-version'] === '2026-07-28';
    const answer = (result: object): void => {
      response.writeHead(200, JSON_TYPE);
      response.end(JSON.stringify({ jsonrpc: '2.0', id: one.id, result }));
    };
    const capabilities = { tools: {} };
    if (one.method === 'server/discover') {
      answer({ ...kept, supportedVersions: ['2026-07-28'], capabilities });
    } else if (one.method === 'initialize') {
      const serverInfo = { name: 'old', version: '1' };
      answer({ protocolVersion: '2025-11-25', capabilities, serverInfo });
    } else if (one.method === 'tools/list') {
      const tools = [{ name: 'a', inputSchema: { type: 'object' } }];
      answer({ ...(isModern && kept), tools });
    } else if (one.method === 'tools/call') {
      if (isModern) onCall(one, response);
      else answer({ content: [{ type: 'text', text: 'old' }] });
    } else response.writeHead(one.method === undefined ? onAnswer : 202).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return { entry: { kind: 'http', url, headers: new Map(), secrets: [] }, received, answered };
}

const requestsFor = (warnings: string[]): ServerRequests =>
  new ServerRequests({
    ...{ server: 'odd', secrets: [], sampling: () => false },
    host: { elicitation: 'form' },
    onWarning: (warning) => warnings.push(warning),
  });

const question = {
  ...{ jsonrpc: '2.0', id: 'q1', method: 'elicitation/create' },
  params: {
    message: 'Which city?',
    requestedSchema: { type: 'object', properties: { city: { type: 'string' } } },
  },
};

const host: CallHost = {
  elicit: async () => ({ action: 'accept', content: { city: 'Oslo' } }),
};

test('a server of 2026-07-28 that asks in the old way is answered', limited, async (context) => {
  const scene = await start(context, async (call, response) => {
    response.writeHead(200, EVENTS).write(`data: ${JSON.stringify(question)}\n\n`);
    const answer = await scene.answered;
    const result = { ...kept, content: [{ type: 'text', text: JSON.stringify(answer.result) }] };
    response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: call.id, result })}\n\n`);
  });
  const { connection, events } = observe(context, scene.entry, { requests: requestsFor([]) });
  const result = (await connection.callTool('a', {}, { host })) as { content: [{ text: string }] };
  assert.equal(connection.listing?.protocolVersion, '2026-07-28');
  assert.deepEqual(JSON.parse(result.content[0].text), {
    action: 'accept',
    content: { city: 'Oslo' },
  });
  assert.ok(!events.some(({ kind }) => kind === 'warning'));
});

test('a server that takes no answer: the time-out says what to write', limited, async (context) => {
  const scene = await start(
    context,
    (_call, response) => {
      response.writeHead(200, EVENTS).write(`data: ${JSON.stringify(question)}\n\n`);
    },
    400,
  );
  const entry = { ...scene.entry, lifecycle: { callTimeout: 500 } };
  const { connection } = observe(context, entry, { requests: requestsFor([]) });
  await assert.rejects(
    connection.callTool('a', {}, { host }),
    /did not answer .*; meanwhile the server sent the request elicitation\/create, which 2026-07-28 does not have, and took no answer; write "protocol": "legacy" in its entry/,
  );
});

const ways: Readonly<Record<string, OnCall>> = {
  'an error': ({ id }, response) => {
    const error = { code: -32600, message };
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
  },
  'a result that is an error': ({ id }, response) => {
    const content = [{ type: 'text', text: `Error calling tool 'a': ${message}` }];
    const result = { ...kept, isError: true, content };
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  },
};

for (const [name, onCall] of Object.entries(ways)) {
  test(
    `a tool that cannot ask any more says so with ${name}: the next call works`,
    limited,
    async (context) => {
      const { entry, received } = await start(context, onCall);
      const { connection, events, listed } = observe(context, entry, { requests: requestsFor([]) });
      const first = connection.callTool('a', {});
      if (name === 'an error') {
        await assert.rejects(first, {
          message:
            /^a of the MCP server odd asks with elicitation\/create, .* Further calls use the older revision\. To use it from the beginning, write "protocol": "legacy" in its entry\.$/,
        });
      } else assert.match(JSON.stringify(await first), /no back-channel/);
      assert.deepEqual(
        events.flatMap((event) => (event.kind === 'warning' ? [event.text] : [])),
        [
          'it asks with elicitation/create, which 2026-07-28 does not have; further calls use the older revision. To use it from the beginning, write "protocol": "legacy" in its entry',
        ],
      );
      assert.match(JSON.stringify(await connection.callTool('a', {})), /"old"/);
      assert.equal(received.filter(({ method }) => method === 'tools/call').length, 2);
      assert.equal(listed.at(-1)?.known?.kind, 'legacy');
    },
  );
}
