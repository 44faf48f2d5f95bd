import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';

/** A tool of a scripted server, and what its calls answer. Without `answer`, its arguments as text. */
export interface ScriptedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: object;
  readonly annotations?: object;
  readonly _meta?: object;
  /** A result; `never` for a call without an answer; `{ size }` for a text of this many characters. */
  readonly answer?: unknown;
}

/** What scripted servers report: `start NAME`, `call NAME`, `cancelled NAME`. */
export class Journal {
  readonly lines: string[] = [];
  readonly #events = new EventEmitter();
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => {
    this.#sockets.add(socket.on('error', () => {}));
    socket.on('close', () => this.#sockets.delete(socket));
    createInterface({ input: socket }).on('line', (line) => {
      this.lines.push(line);
      this.#events.emit('line');
    });
  });

  static async open(context: TestContext): Promise<Journal> {
    const journal = new Journal();
    journal.#server.listen(0, '127.0.0.1');
    await once(journal.#server, 'listening');
    context.after(() => {
      journal.#server.close();
      for (const socket of journal.#sockets) socket.destroy();
    });
    return journal;
  }

  /** Waits until a server has reported this. */
  async until(line: string): Promise<void> {
    while (!this.lines.includes(line)) await once(this.#events, 'line');
  }

  /** Waits for the next report. */
  async next(): Promise<void> {
    await once(this.#events, 'line');
  }

  /** Waits until all servers have ended. */
  async allGone(): Promise<void> {
    for (const socket of this.#sockets) await once(socket, 'close');
  }

  /** The entry of a server with these tools; without any, it starts and never answers. */
  entry(name: string, tools?: readonly ScriptedTool[]): object {
    const { port } = this.#server.address() as AddressInfo;
    return {
      command: process.execPath,
      args: ['-e', source, JSON.stringify({ name, port, tools })],
    };
  }
}

const source = `
const { name, port, tools } = JSON.parse(process.argv[1]);
const socket = require('node:net').connect(port, '127.0.0.1');
socket.on('error', () => {}).on('close', () => process.exit());
const report = (text) => socket.write(text + ' ' + name + '\\n');
report('start');
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const answerTo = ({ params }) => {
  const { answer } = tools.find((tool) => tool.name === params.name);
  if (answer === undefined)
    return { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] };
  if (answer.size) return { content: [{ type: 'text', text: 'x'.repeat(answer.size) }] };
  return answer;
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  const { id, method } = message;
  if (!tools) return;
  if (method === 'initialize') say({ id, result: {
    protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name, version: '1' } } });
  if (method === 'tools/list') say({ id, result: {
    tools: tools.map(({ answer, ...tool }) => ({ inputSchema: { type: 'object' }, ...tool })) } });
  if (method === 'notifications/cancelled') report('cancelled');
  if (method !== 'tools/call') return;
  report('call');
  const result = answerTo(message);
  if (result === 'refuse') say({ id, error: { code: -32602, message: 'no such thing' } });
  else if (result !== 'never') say({ id, result });
}).on('close', () => socket.end());
`;

/** A configuration with these servers. */
export function configOf(servers: Readonly<Record<string, object>>, toolfold: object = {}): string {
  return JSON.stringify({ mcpServers: servers, toolfold });
}
