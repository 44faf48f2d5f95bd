/** A server with the tools of a file: `node list-server.ts FILE`. */
import { readFileSync } from 'node:fs';

const { tools } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const capabilities = { tools: {} };
const serverInfo = { name: 'list', version: '1' };
let pending = '';
process.stdin.setEncoding('utf8').on('data', (text: string) => {
  const lines = (pending + text).split('\n');
  pending = lines.pop() ?? '';
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const { protocolVersion } = params ?? {};
    const results: Record<string, object> = {
      initialize: { protocolVersion, capabilities, serverInfo },
      'tools/list': { tools },
      'tools/call': { content: [{ type: 'text', text: 'done' }] },
    };
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} })}\n`,
    );
  }
});
process.stdin.on('end', () => process.exit());
