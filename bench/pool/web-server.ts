/** An HTTP server for measurements: `node web-server.ts <revision> [events]`. Prints its port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const isModern = process.argv[2] === '2026-07-28';
const isStream = process.argv[3] === 'events';
const kept = isModern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
const capabilities = { tools: {} };
const results: Readonly<Record<string, object>> = {
  ...(isModern
    ? { 'server/discover': { ...kept, supportedVersions: ['2026-07-28'], capabilities } }
    : {
        initialize: {
          ...{ protocolVersion: '2025-11-25', capabilities },
          serverInfo: { name: 'bench', version: '1' },
        },
      }),
  'tools/list': { ...kept, tools: [{ name: 'work', inputSchema: { type: 'object' } }] },
  'tools/call': { ...kept, content: [{ type: 'text', text: 'x'.repeat(1000) }] },
};

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { id, method } = body === '' ? {} : JSON.parse(body);
  const result = results[method];
  if (request.method !== 'POST') response.writeHead(405).end();
  else if (id === undefined) response.writeHead(202).end();
  else if (result === undefined) response.writeHead(404).end();
  else {
    const json = JSON.stringify({ jsonrpc: '2.0', id, result });
    const type = isStream ? 'text/event-stream' : 'application/json';
    response.writeHead(200, { 'content-type': type, 'mcp-session-id': 'bench' });
    response.end(isStream ? `event: message\ndata: ${json}\n\n` : json);
  }
}).listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
