import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  createMcpHandler,
  inputRequired,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { UsableEntry } from '../../src/config/config.ts';

export type Era = '2025-11-25' | '2026-07-28';
export type Way = 'stdio' | 'http';

/**
 * A server of the SDK. `ask` asks for each entry of `requests` and returns the answers; `talk` sends
 * progress and a log message; `capabilities` returns what the client announced; `hang` does not end.
 */
export function askingServer(): Server {
  const server = new Server(
    { name: 'asker', version: '1' },
    { capabilities: { tools: {}, logging: {} }, inputRequired: {} },
  );
  const inputSchema = { type: 'object' as const };
  server.setRequestHandler('tools/list', () => ({
    tools: ['ask', 'talk', 'capabilities', 'hang'].map((name) => ({ name, inputSchema })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const text = (value: unknown) => ({
      content: [{ type: 'text' as const, text: JSON.stringify(value ?? null) }],
    });
    switch (params.name) {
      case 'ask': {
        const { inputResponses } = mcpReq;
        if (inputResponses !== undefined) return text(inputResponses);
        return inputRequired({ inputRequests: params.arguments?.requests as never });
      }
      case 'talk': {
        const progressToken = mcpReq._meta?.progressToken;
        for (const progress of [1, 2]) {
          const step = { progress, total: 2, message: `step ${progress}` };
          if (progressToken !== undefined)
            await mcpReq.notify({
              method: 'notifications/progress',
              params: { progressToken, ...step },
            });
        }
        await mcpReq.log('info', 'for information');
        await mcpReq.log('warning', { disk: 'full' });
        return text('done');
      }
      case 'capabilities':
        return text(
          server.getClientCapabilities() ??
            (mcpReq.envelope as Record<string, unknown>)?.[
              'io.modelcontextprotocol/clientCapabilities'
            ],
        );
      default:
        return once(mcpReq.signal, 'abort').then(() => text('aborted'));
    }
  });
  return server;
}

/** The entry of such a server, which runs until the test ends. */
export async function askingEntry(context: TestContext, era: Era, way: Way): Promise<UsableEntry> {
  if (way === 'stdio') {
    const args = [fileURLToPath(import.meta.url), era];
    return { kind: 'stdio', command: process.execPath, args, env: new Map(), secrets: [] };
  }
  const answer = era === '2026-07-28' ? modern() : await legacy(context);
  const server = createServer((request, response) => void relay(answer, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return { kind: 'http', url, headers: new Map(), secrets: [] };
}

type Answer = (request: Request) => Promise<Response>;

function modern(): Answer {
  const handler = createMcpHandler(askingServer, { legacy: 'reject' });
  return (request) => handler.fetch(request);
}

/** A server with sessions: it sends requests on the stream of a call. */
async function legacy(context: TestContext): Promise<Answer> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => 'session',
  });
  const server = askingServer();
  context.after(() => server.close());
  await server.connect(transport);
  return async (request) =>
    request.headers.has('mcp-method')
      ? new Response(null, { status: 400 })
      : transport.handleRequest(request);
}

async function relay(
  answer: Answer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const left = new AbortController();
  response.on('close', () => left.abort());
  const answered = await answer(
    new Request(`http://127.0.0.1${request.url}`, {
      method: request.method ?? 'GET',
      headers: new Headers(request.headers as Record<string, string>),
      signal: left.signal,
      ...(request.method === 'POST' ? { body: new Uint8Array(await buffer(request)) } : {}),
    }),
  );
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.flushHeaders();
  const reader = answered.body?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read())
    response.write(part.value);
  response.end();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  serveStdio(askingServer, { legacy: process.argv[2] === '2025-11-25' ? 'serve' : 'reject' });
}
