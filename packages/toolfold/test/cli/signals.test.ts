// test: slow
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import { home, start } from './process.test-support.ts';

const limited = { timeout: 60_000 };

/** The sockets of a server's processes. Each socket closes when its process ends. */
class Sockets {
  readonly #server: Server;
  readonly #gone: Promise<unknown>[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(context: TestContext): Promise<Sockets> {
    const server = createServer().listen(0, '127.0.0.1');
    const sockets = new Sockets(server);
    context.after(() => server.close());
    server.on('connection', (socket: Socket) => {
      socket.resume().on('error', () => {});
      sockets.#gone.push(once(socket, 'close'));
    });
    await once(server, 'listening');
    return sockets;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async begun(count: number): Promise<void> {
    while (this.#gone.length < count) await once(this.#server, 'connection');
  }

  async allGone(): Promise<void> {
    await Promise.all(this.#gone);
  }
}

/**
 * A server that ignores the end of its stdin and every signal that can be ignored. Its child does
 * the same.
 */
function stubborn(port: number): object {
  const deaf = `for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => {});
    require('net').connect(${port}, '127.0.0.1').on('close', () => process.exit());`;
  const source = `${deaf} require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(deaf)}]);`;
  return { command: process.execPath, args: ['-e', source] };
}

/** A server that lists a tool and ends neither with its stdin nor with SIGTERM. It never answers a call. */
function answering(port: number): object {
  const source = `for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {});
    const connect = () => require('net').connect(${port}, '127.0.0.1').on('close', () => process.exit());
    connect();
    require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (method === 'tools/call') connect();
      const results = {
        initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} },
          serverInfo: { name: 'deaf', version: '1' } },
        'tools/list': { tools: [{ name: 'never', inputSchema: { type: 'object' } }] },
      };
      const result = results[method];
      if (result) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });`;
  return { command: process.execPath, args: ['-e', source] };
}

/**
 * Starts `inspect` with this server, sends the signals when its processes run, and waits for all of
 * them to end.
 */
async function endedBy(
  context: TestContext,
  signals: readonly NodeJS.Signals[],
): Promise<number | null> {
  const sockets = await Sockets.open(context);
  const config = JSON.stringify({ mcpServers: { stubborn: stubborn(sockets.port) } });
  const folder = await home(context, { 'mcp.json': config });
  const child = start(folder, ['inspect', '--config', 'mcp.json']);
  const ended = once(child, 'close') as Promise<[number | null]>;
  await sockets.begun(2);
  for (const signal of signals) child.kill(signal);
  const [code] = await ended;
  await sockets.allGone();
  return code;
}

// The tests run in parallel: most of the time is spent waiting for servers that do not end.
suite('signals end the servers, what these started, and the command', { concurrency: 4 }, () => {
  for (const [signal, code] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGQUIT', 131],
    ['SIGTERM', 143],
  ] as const) {
    test(`${signal} with code ${code}`, limited, async (context) => {
      assert.equal(await endedBy(context, [signal]), code);
    });
  }

  test(
    'promise 69: the first signal ends the command within two seconds',
    limited,
    async (context) => {
      const sockets = await Sockets.open(context);
      const config = JSON.stringify({ mcpServers: { deaf: answering(sockets.port) } });
      const folder = await home(context, { 'mcp.json': config });
      const child = start(folder, ['call', 'deaf.never', '{}', '--config', 'mcp.json']);
      const ended = once(child, 'close');
      // The second one says that the call has arrived.
      await sockets.begun(2);
      const begun = performance.now();
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [143, null]);
      const took = performance.now() - begun;
      assert.ok(took < 2000, `${Math.round(took)} ms`);
      await sockets.allGone();
    },
  );

  test('signals that come together are one', limited, async (context) => {
    for (const signals of [
      ['SIGINT', 'SIGTERM'],
      ['SIGTERM', 'SIGTERM', 'SIGTERM'],
    ] as const) {
      const code = await endedBy(context, signals);
      assert.ok(code === 130 || code === 143, String(code));
    }
  });
});
