import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Clients that run at once. The suite starts all of them, and servers close idle connections soon. */
const MAX_AT_ONCE = 4;

/** The variable that names the port of the turns. */
export const TURNS_PORT = 'TOOLFOLD_CONFORMANCE_TURNS';

/** Gives turns to the clients of one run. A turn lasts as long as the client's connection. */
export interface Turns {
  readonly port: number;
  close(): void;
}

export async function openTurns(): Promise<Turns> {
  const waiting: Socket[] = [];
  let running = 0;
  const next = (): void => {
    while (running < MAX_AT_ONCE) {
      const socket = waiting.shift();
      if (socket === undefined) return;
      running += 1;
      socket.once('close', () => {
        running -= 1;
        next();
      });
      socket.write('go');
    }
  };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.resume();
    waiting.push(socket);
    next();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, close: () => void server.close() };
}

/** Waits for a turn, if there are turns. Returns a function that ends it. */
export async function waitForTurn(env: NodeJS.ProcessEnv): Promise<() => void> {
  const port = env[TURNS_PORT];
  if (port === undefined) return () => {};
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'data');
  return () => void socket.destroy();
}
