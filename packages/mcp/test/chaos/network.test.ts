import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import type { HttpServerEntry } from '../../src/config/config.ts';
import { observe } from '../server/server-connection.test-support.ts';

const limited = { timeout: 30_000 };

/** What listens at the address of a server, and why the start fails. */
interface Row {
  /** Default: nothing listens. */
  readonly listen?: (onSocket: (socket: Socket) => void) => Server;
  readonly onSocket?: (socket: Socket) => void;
  readonly url: (port: number) => string;
  readonly fails: RegExp;
}

const http = (port: number): string => `http://127.0.0.1:${port}/mcp`;
const https = (port: number): string => `https://127.0.0.1:${port}/mcp`;
const plain = (onSocket: (socket: Socket) => void): Server =>
  createServer({ allowHalfOpen: true }, onSocket);
const late = /^it did not answer within 0\.5 s/;

const rows: Readonly<Record<string, Row>> = {
  'nothing listens': { url: http, fails: /^fetch failed: connect ECONNREFUSED/ },
  'nothing listens with IPv6': {
    url: (port) => `http://[::1]:${port}/mcp`,
    fails: /^fetch failed: connect (ECONNREFUSED|EADDRNOTAVAIL)/,
  },
  'a port that fetch refuses': {
    url: () => 'http://127.0.0.1:6000/mcp',
    fails: /^fetch failed: bad port/,
  },
  'a name that nobody has': {
    url: () => 'http://toolfold.invalid/mcp',
    fails: /^fetch failed: getaddrinfo (ENOTFOUND|EAI_AGAIN)/,
  },
  'it accepts and says nothing': { listen: plain, url: http, fails: late },
  'it accepts and says nothing, with TLS': { listen: plain, url: https, fails: late },
  'it accepts and closes': {
    ...{ listen: plain, onSocket: (socket) => socket.destroy() },
    ...{ url: http, fails: /^fetch failed: other side closed|ECONNRESET/ },
  },
  'it accepts and closes its half': {
    ...{ listen: plain, onSocket: (socket) => socket.end() },
    ...{ url: http, fails: /^fetch failed: other side closed/ },
  },
  'it accepts and resets': {
    ...{ listen: plain, onSocket: (socket) => socket.resetAndDestroy() },
    ...{ url: http, fails: /^fetch failed: .*ECONNRESET|other side closed/ },
  },
  'another protocol': {
    ...{ listen: plain, onSocket: (socket) => socket.write('220 smtp ESMTP\r\n') },
    ...{ url: http, fails: /^fetch failed: .*does not match the HTTP\/1\.1 protocol/ },
  },
  'TLS where HTTP is spoken': {
    ...{ listen: plain, onSocket: (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n') },
    ...{ url: https, fails: /^fetch failed: .*(wrong version number|SSL|EPROTO|packet length)/i },
  },
  'HTTP where TLS is spoken': {
    listen: (onSocket) => createTlsServer(onSocket).on('tlsClientError', () => {}),
    ...{ url: http, fails: /^fetch failed: / },
  },
  'TLS without a certificate': {
    listen: (onSocket) => createTlsServer(onSocket).on('tlsClientError', () => {}),
    ...{ url: https, fails: /^fetch failed: .*handshake failure/ },
  },
};

/** The port of what listens; without it, one at which nothing does any more. */
async function portOf(context: TestContext, { listen, onSocket }: Row): Promise<number> {
  const sockets = new Set<Socket>();
  const server = (listen ?? plain)((socket) => {
    sockets.add(socket.on('error', () => {}));
    onSocket?.(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  if (listen === undefined) close();
  context.after(close);
  return port;
}

suite('no connection to a server over HTTP', { concurrency: 8 }, () => {
  for (const [name, row] of Object.entries(rows)) {
    test(name, limited, async (context) => {
      const url = row.url(await portOf(context, row));
      const entry: HttpServerEntry = { kind: 'http', url, headers: new Map(), secrets: [] };
      const startTimeout = row.fails === late ? 500 : 20_000;
      const { connection } = observe(context, entry, { startTimeout });
      const state = await connection.start();
      assert.equal(state.kind, 'failed');
      assert.match(state.reason, row.fails);
      assert.match(state.remedy, /Check its "url"/);
    });
  }
});
