import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

/** What a process of a test has said, such as `server` or `call`. */
interface Line {
  readonly text: string;
  readonly from: Socket;
}

/**
 * Every process of a test holds a socket to this server, so that its end is an event. It writes a line
 * for each thing that it does.
 */
export class Processes {
  readonly #alive = new Set<Socket>();
  readonly #lines: Line[] = [];
  readonly #server: Server;
  #changed: PromiseWithResolvers<void> = Promise.withResolvers();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => this.#add(socket));
  }

  static async begin(context: TestContext): Promise<Processes> {
    const server = createServer();
    const processes = new Processes(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    context.after(() => processes.#end());
    return processes;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Number of processes that hold a socket. */
  get count(): number {
    return this.#alive.size;
  }

  /** The first line with this beginning; waits until there is one. */
  async said(beginning: string): Promise<Line> {
    for (;;) {
      const line = this.#lines.find(({ text }) => text.startsWith(beginning));
      if (line !== undefined) return line;
      await this.#changed.promise;
    }
  }

  /** Waits until no process is left. */
  async allGone(): Promise<void> {
    while (this.#alive.size > 0) await this.#changed.promise;
  }

  #add(socket: Socket): void {
    this.#alive.add(socket);
    let pending = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const [last = '', ...lines] = `${pending}${chunk}`.split('\n').reverse();
      pending = last;
      this.#lines.push(...lines.reverse().map((text) => ({ text, from: socket })));
      this.#change();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#alive.delete(socket);
      this.#change();
    });
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Every process ends with its socket, also the processes of a failed test. */
  #end(): void {
    this.#server.close();
    for (const socket of this.#alive) socket.destroy();
  }
}

/** The processes whose command line or environment holds the text. Only on Linux. */
export function processesWith(text: string, file: 'cmdline' | 'environ'): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => contentOf(`/proc/${pid}/${file}`).includes(text)).map(Number);
}

/** Waits until no supervisor of the host with this mark is left. Only on Linux. */
export async function supervisorGone(mark: string): Promise<void> {
  // Nothing that could be waited for tells the end of a process that another process started.
  while (processesWith(mark, 'cmdline').length > 0) await delay(20);
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
