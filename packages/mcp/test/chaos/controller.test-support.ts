import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';

/** Something that a server has done. The server waits until it may go on. */
export interface Point {
  readonly pid: number;
  readonly server: string;
  /** `start`, `list`, or `call`, `effect` and `answer` with the id of the call. */
  readonly what: string;
}

/** What the test does at a point, before the server goes on. */
export type AtPoint = (point: Point, count: number) => void;

/** Every server of a test holds a socket to this, and tells it what it does. */
export class Controller {
  readonly points: Point[] = [];
  readonly #alive = new Set<Socket>();
  readonly #server: Server;
  #changed: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #atPoint: AtPoint;

  private constructor(atPoint: AtPoint) {
    this.#atPoint = atPoint;
    this.#server = createServer((socket) => this.#add(socket));
  }

  static async begin(context: TestContext, atPoint: AtPoint = () => {}): Promise<Controller> {
    const controller = new Controller(atPoint);
    controller.#server.listen(0, '127.0.0.1');
    await once(controller.#server, 'listening');
    context.after(() => controller.#end());
    return controller;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Waits until no process is left. */
  async allGone(): Promise<void> {
    while (this.#alive.size > 0) await this.#changed.promise;
  }

  #add(socket: Socket): void {
    this.#alive.add(socket);
    socket
      .on('error', () => {})
      .on('close', () => {
        this.#alive.delete(socket);
        this.#changed.resolve();
        this.#changed = Promise.withResolvers();
      });
    const lines = createInterface({ input: socket }).on('error', () => {});
    lines.on('line', (line) => {
      const [pid, server = '', ...what] = line.split(' ');
      const point = { pid: Number(pid), server, what: what.join(' ') };
      this.points.push(point);
      this.#atPoint(point, this.points.length);
      if (!socket.destroyed) socket.write('go\n');
    });
  }

  /** Every process ends with its socket, also the processes of a failed test. */
  #end(): void {
    this.#server.close();
    for (const socket of this.#alive) socket.destroy();
  }
}
