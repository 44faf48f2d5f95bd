import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { suite, test } from 'node:test';
import type { HttpServerEntry } from '../../src/config/config.ts';
import { observe } from '../server/server-connection.test-support.ts';
import { EVENTS, eventFor, type Received, WebServer } from './web-server.test-support.ts';

const limited = { timeout: 30_000 };
const unknown = /The outcome of the call of a is unknown/;

suite('bad days of a server over HTTP', { concurrency: 4 }, () => {
  const forgotten: readonly (readonly [status: number, text: string])[] = [
    [404, 'gone'],
    [400, 'Bad Request: No valid session ID provided'],
    [503, 'Session not found'],
    [200, 'Session not found'],
  ];
  for (const answer of forgotten)
    test(
      `it forgets the session (${answer[0]}): a new one, and the call is done once`,
      limited,
      async (context) => {
        const web = await WebServer.begin(context);
        web.forgotten = answer;
        let done = 0;
        web.onCall = (message, response) => {
          done += 1;
          web.answer(message, response);
        };
        const { connection } = observe(context, web.entry());
        await connection.callTool('a', {});
        web.sessions.clear();
        await Promise.all([connection.callTool('a', {}), connection.callTool('a', {})]);
        assert.equal(done, 3);
        assert.equal(web.count('initialize'), 2);
      },
    );

  test(
    'it says no more than 503: the call is not sent again, the next one gets a new session',
    limited,
    async (context) => {
      const web = await WebServer.begin(context);
      web.forgotten = [503, ''];
      const { connection } = observe(context, web.entry());
      await connection.callTool('a', {});
      web.sessions.clear();
      await assert.rejects(connection.callTool('a', {}), unknown);
      assert.equal(web.count('tools/call'), 2);
      await connection.callTool('a', {});
      assert.equal(web.count('initialize'), 2);
    },
  );

  test(
    'its tool says that there is no session: the answer of the tool',
    limited,
    async (context) => {
      const web = await WebServer.begin(context);
      web.onCall = ({ id }, response) => {
        const error = { code: -32000, message: 'Browser session not found' };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      };
      const { connection } = observe(context, web.entry());
      await assert.rejects(connection.callTool('a', {}), /Browser session not found/);
      assert.deepEqual([web.count('tools/call'), web.count('initialize')], [1, 1]);
    },
  );

  test('it forgets every session at once: no loop', limited, async (context) => {
    const web = await WebServer.begin(context);
    const { connection } = observe(context, web.entry());
    await connection.start();
    web.onAll = ({ method }, response) => {
      if (method !== 'tools/call') return false;
      response.writeHead(404).end();
      return true;
    };
    await assert.rejects(connection.callTool('a', {}), /404|POSTing/);
    assert.equal(web.count('tools/call'), 2);
  });

  test('it is started again behind the same address', limited, async (context) => {
    const first = await WebServer.begin(context);
    const { connection } = observe(context, first.entry());
    await connection.callTool('a', {});
    const { port } = first;
    await first.end();
    // The first call may be written to a connection whose end is not known yet.
    await assert.rejects(
      connection.callTool('a', {}),
      /is unknown: .*lost|cannot be used: .*ECONNREFUSED/,
    );
    await assert.rejects(connection.callTool('a', {}), /cannot be used: .*ECONNREFUSED/);
    const second = await WebServer.begin(context, '127.0.0.1', port);
    await connection.callTool('a', {});
    assert.equal(second.count('tools/call'), 1);
  });

  test('the stream breaks in the middle of a call, without event ids', limited, async (context) => {
    const web = await WebServer.begin(context);
    web.onCall = (_message, response) => {
      response.writeHead(200, EVENTS).write(': begin\n\n', () => response.destroy());
    };
    const { connection } = observe(context, web.entry());
    await assert.rejects(connection.callTool('a', {}), unknown);
    web.onCall = (message, response) => web.answer(message, response);
    await connection.callTool('a', {});
    assert.equal(web.count('tools/call'), 2);
  });

  test(
    'the stream breaks in the middle of a call, with event ids: it is resumed',
    limited,
    async (context) => {
      const web = await WebServer.begin(context);
      let call: Received | undefined;
      web.onCall = (message, response) => {
        call = message;
        response
          .writeHead(200, EVENTS)
          .write('retry: 0\nid: e1\ndata:\n\n', () => response.destroy());
      };
      web.onGet = ({ headers }, response) => {
        if (headers['last-event-id'] !== 'e1' || call === undefined)
          return response.writeHead(405).end();
        return response.writeHead(200, EVENTS).end(eventFor(call, 'e2'));
      };
      const { connection } = observe(context, web.entry());
      assert.deepEqual(await connection.callTool('a', {}), { content: [] });
      assert.equal(web.count('tools/call'), 1);
    },
  );

  test('the connection breaks before the answer begins', limited, async (context) => {
    const web = await WebServer.begin(context);
    web.onCall = (_message, response) => response.destroy();
    const { connection } = observe(context, web.entry());
    await assert.rejects(connection.callTool('a', {}), unknown);
    assert.equal(web.count('tools/call'), 1);
  });

  test('a gateway in front of it answers 502 to a call', limited, async (context) => {
    const web = await WebServer.begin(context);
    web.tools = [{ name: 'a', annotations: { readOnlyHint: true } }];
    web.onCall = (_message, response) => response.writeHead(502).end('bad gateway');
    const { connection } = observe(context, web.entry());
    await assert.rejects(connection.callTool('a', {}), unknown);
    const trusted = observe(context, web.entry(), { isTrusted: () => true });
    await assert.rejects(trusted.connection.callTool('a', {}), unknown);
    assert.equal(web.count('tools/call'), 3);
  });

  test(
    'a proxy buffers the stream of notices, and events until the end',
    limited,
    async (context) => {
      const web = await WebServer.begin(context);
      // Headers of a buffered stream arrive with its end, which never comes.
      web.onGet = () => {};
      web.onCall = (message, response) => {
        response.writeHead(200, EVENTS);
        response.end(`: ${' '.repeat(4096)}\n\nid: 1\ndata:\n\n${eventFor(message, '2')}`);
      };
      const { connection } = observe(context, web.entry());
      await connection.callTool('a', {});
      await connection.close();
      assert.equal(connection.state.kind, 'closed');
    },
  );

  test('localhost is only IPv6', limited, async (context) => {
    const web = await WebServer.begin(context, '::1').catch(() => undefined);
    const addresses = await lookup('localhost', { all: true });
    if (web === undefined || !addresses.some(({ family }) => family === 6)) {
      return context.skip('on this machine, localhost has no IPv6 address');
    }
    const { connection } = observe(context, web.entry('localhost'));
    await connection.callTool('a', {});
  });

  test('its name is not found', limited, async (context) => {
    const url = 'http://no-such-server.invalid/mcp';
    const entry: HttpServerEntry = { kind: 'http', url, headers: new Map(), secrets: [] };
    const { connection } = observe(context, entry);
    await assert.rejects(connection.callTool('a', {}), /cannot be used: .*(ENOTFOUND|EAI_AGAIN)/);
  });

  test('it never answers the handshake', limited, async (context) => {
    const web = await WebServer.begin(context);
    web.onAll = () => true;
    const { connection } = observe(context, web.entry(), { startTimeout: 300 });
    await assert.rejects(connection.callTool('a', {}), /did not answer within 0.3 s/);
  });

  test('its cached revision is not the one it has now', limited, async (context) => {
    const web = await WebServer.begin(context);
    const discover = {
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      serverInfo: { name: 'web', version: '1' },
    };
    const manifest = {
      ...{ listing: { tools: [], duplicates: [], warnings: [] }, fingerprint: '', listedAt: 0 },
      known: { kind: 'modern', discover } as never,
    };
    const { connection } = observe(context, web.entry(), { manifest });
    await connection.callTool('a', {});
    assert.equal(connection.listing?.protocolVersion, '2025-11-25');
  });
});
