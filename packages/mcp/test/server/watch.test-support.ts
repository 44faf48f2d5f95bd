import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { StdioServerEntry } from '../../src/config/config.ts';
import { secretTexts } from '../../src/redact.ts';

/** Parts of a server's source. */
interface ServerSource {
  readonly before?: string;
  readonly tools?: string;
  readonly call?: string;
  readonly after?: string;
}

/** Every process of a test holds a socket to this server, so that its start and end are events. */
export class Watch {
  readonly #alive = new Set<Socket>();
  readonly #said = new EventEmitter();
  readonly #server = createServer((socket) => {
    this.#alive.add(socket);
    socket.on('error', () => {}).on('data', () => this.#said.emit('said'));
    socket.on('close', () => this.#alive.delete(socket));
  });
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async begin(context: TestContext): Promise<Watch> {
    const watch = new Watch(await mkdtemp(join(tmpdir(), 'toolfold-')));
    watch.#server.listen(0, '127.0.0.1');
    await once(watch.#server, 'listening');
    context.after(async () => {
      watch.#server.close();
      // Every process ends with its socket, also the processes of a failed test.
      for (const socket of watch.#alive) socket.destroy();
      await rm(watch.#folder, { recursive: true });
    });
    return watch;
  }

  /** Waits until this number of processes has started. */
  async started(count: number): Promise<void> {
    while (this.#alive.size < count) await once(this.#server, 'connection');
  }

  /** Waits until a server writes to its socket (`alive` in its source). */
  async said(): Promise<void> {
    await once(this.#said, 'said');
  }

  /** Waits until no process is left. */
  async allGone(): Promise<void> {
    while (this.#alive.size > 0) {
      const [socket] = this.#alive;
      if (socket !== undefined) await once(socket, 'close');
    }
  }

  /** A server: `tools` and `call(message)` are what it does, `before` runs first. */
  async entry(
    { before = '', tools = '[]', call = '', after = '' }: ServerSource,
    env: Record<string, string> = {},
  ): Promise<StdioServerEntry> {
    const file = join(this.#folder, `server-${Math.random().toString(36).slice(2)}.cjs`);
    const { port } = this.#server.address() as AddressInfo;
    await writeFile(
      file,
      `const alive = require('node:net').connect(${port}, '127.0.0.1').unref();
      alive.on('error', () => {}).on('close', () => process.exit());
      const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
      const child = (source, options) =>
        require('node:child_process').spawn(process.execPath, ['-e',
          "require('node:net').connect(${port}, '127.0.0.1').on('close', () => process.exit());" +
          source], options);
      const start = () => require('node:readline').createInterface({ input: process.stdin })
        .on('line', (line) => {
          const message = JSON.parse(line);
          if (message.method === 'initialize') say({ id: message.id, result: {
            protocolVersion: '2025-11-25', capabilities: { tools: {} },
            serverInfo: { name: 'odd', version: '1' } } });
          if (message.method === 'tools/list') say({ id: message.id, result:
            typeof tools === 'function' ? tools(message.params) : { tools } });
          if (message.method === 'tools/call') call(message);
        });
      ${before}
      const tools = ${tools};
      const call = (message) => { ${call} };
      start();
      ${after}`,
    );
    const secrets = secretTexts(Object.values(env));
    const environment = new Map(Object.entries(env));
    return { kind: 'stdio', command: process.execPath, args: [file], env: environment, secrets };
  }
}
