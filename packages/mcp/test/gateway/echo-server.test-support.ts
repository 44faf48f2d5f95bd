import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ServerEntry } from '../../src/index.ts';
import { type Era, onLines } from './raw-server.test-support.ts';
import type { Way } from './scene.test-support.ts';

const schema = { type: 'object', properties: { id: { type: 'integer' } } };
const tools = [{ name: 'echo', description: 'Echoes.', inputSchema: schema }];

/** The answer to a message, as text. A call is answered with the text of the message itself. */
function answerTo(line: string, era: Era): string | undefined {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'echo', version: '1' },
    },
    'server/discover': {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      serverInfo: { name: 'echo', version: '1' },
    },
    'tools/list': { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools },
    'tools/call': { resultType: 'complete', content: [{ type: 'text', text: line }] },
  }[method as string];
  const isKnown = result && method !== (era === 'modern' ? 'initialize' : 'server/discover');
  const error = { code: -32601, message: 'Method not found' };
  return JSON.stringify({ jsonrpc: '2.0', id, ...(isKnown ? { result } : { error }) });
}

/** A server that answers a call with the text of the request, as it was on the wire. */
export async function echoEntry(context: TestContext, era: Era, way: Way): Promise<ServerEntry> {
  if (way === 'stdio') {
    const args = [fileURLToPath(import.meta.url), 'serve', era];
    return { kind: 'stdio', command: process.execPath, args, env: new Map(), secrets: [] };
  }
  const server = createServer(async (request, response) => {
    const answer = request.method === 'POST' && answerTo(await text(request), era);
    if (!answer) response.writeHead(request.method === 'POST' ? 202 : 405).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/mcp`;
  return { kind: 'http', url, headers: new Map(), secrets: [] };
}

if (process.argv[2] === 'serve')
  onLines(process.stdin, (line) => {
    const answer = answerTo(line, process.argv[3] as Era);
    if (answer) process.stdout.write(`${answer}\n`);
  });
