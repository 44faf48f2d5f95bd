/**
 * A stdio server of the kill matrix: `node effect-server.test-support.ts <settings>`. Each of its tools
 * writes a line to a file, and waits until the line is on the disk. It can end its host with SIGKILL
 * before or after the effect of one call.
 */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { ServerSettings } from './matrix-plan.test-support.ts';

const { tools, effects, host, kill }: ServerSettings = JSON.parse(process.argv[2] ?? '');

const server = new Server({ name: 'effects', version: '1' }, { capabilities: { tools: {} } });

server.setRequestHandler('tools/list', async () => ({
  tools: Object.entries(tools).map(([name, annotations]) => ({
    name,
    description: `The tool ${name}.`,
    inputSchema: { type: 'object' as const, properties: { n: { type: 'number' } } },
    annotations,
  })),
}));

server.setRequestHandler('tools/call', async ({ params: { name, arguments: given, _meta } }) => {
  const n = Number(given?.n);
  const die = (when: string) => {
    if (kill?.when === when && kill.at === n) process.kill(host, 'SIGKILL');
  };
  die('called');
  const file = openSync(effects, 'a');
  writeSync(file, `${JSON.stringify({ name, n, call: _meta?.['toolfold/callId'] })}\n`);
  fsyncSync(file);
  closeSync(file);
  die('effect');
  return { content: [{ type: 'text', text: `done ${name} ${n}` }] };
});

process.stdin.on('close', () => process.exit());
await server.connect(new StdioServerTransport());
