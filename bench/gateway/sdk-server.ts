/** The SDK's own handler over HTTP with one tool, and nothing behind it: the floor of HTTP. Prints its address. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

const content = [{ type: 'text' as const, text: 'x'.repeat(1000) }];
const handler = createMcpHandler(() => {
  const server = new Server({ name: 'bench', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: [{ name: 'work', inputSchema: { type: 'object' as const } }],
  }));
  server.setRequestHandler('tools/call', () => ({ content }));
  return server;
});

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const answer = await handler.fetch(
    new Request(`http://127.0.0.1${request.url}`, {
      method: request.method ?? 'POST',
      headers: Object.entries(request.headers) as [string, string][],
      body: Buffer.concat(chunks),
    }),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
}).listen(0, '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
});
