/**
 * A stdio server of the tests of bad days: `node server.test-support.ts <port> <name> <file>`. Its tool
 * `append` writes the id of a call to the file, `look` changes nothing. It tells the test each thing
 * that it has done, and waits until the test lets it go on.
 */
import { appendFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const [port = '', name = '', file = ''] = process.argv.slice(2);

const socket = connect(Number(port), '127.0.0.1');
// The test ends every process by ending its socket.
socket.on('error', () => {}).on('close', () => process.exit());
const waiting: (() => void)[] = [];
const lines = createInterface({ input: socket }).on('error', () => {});
lines.on('line', () => waiting.shift()?.());

/** Tells the test what was done, and waits for its answer. */
async function tell(what: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  socket.write(`${process.pid} ${name} ${what}\n`);
  await promise;
}

const tool = (toolName: string, annotations: object): object => ({
  name: toolName,
  description: `The tool ${toolName}.`,
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
  annotations,
});
const tools = [tool('append', { readOnlyHint: false }), tool('look', { readOnlyHint: true })];

const say = (id: unknown, result: object): void => {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
};

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: { readonly id?: string } };
}

async function answer({ id, method, params }: Message): Promise<void> {
  if (method === 'initialize') {
    const serverInfo = { name, version: '1' };
    say(id, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
  } else if (method === 'tools/list') {
    await tell('list');
    say(id, { tools });
  } else if (method === 'tools/call') {
    const call = params?.arguments?.id ?? '';
    await tell(`call ${call}`);
    if (params?.name === 'append') {
      appendFileSync(file, `${call}\n`);
      await tell(`effect ${call}`);
    }
    say(id, { content: [{ type: 'text', text: `done ${call}` }] });
    await tell(`answer ${call}`);
  }
}

await tell('start');
const requests = createInterface({ input: process.stdin });
requests.on('line', (line) => void answer(JSON.parse(line))).on('close', () => process.exit());
