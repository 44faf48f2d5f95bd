import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { suite, test } from 'node:test';
import { loginNeeded } from '../../src/login/login.ts';
import { authProviderFor } from '../../src/login/server-auth.ts';
import { loginFolder } from '../login/session.test-support.ts';
import { observe } from '../server/server-connection.test-support.ts';
import { EVENTS, eventFor, type Received, WebServer } from './web-server.test-support.ts';

const limited = { timeout: 30_000 };
const JSON_TYPE = { 'content-type': 'application/json' };
const error = (id: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: 'not you' } });

type Answer = (message: Received, response: ServerResponse) => unknown;
const status =
  (code: number, text = '', headers: Record<string, string> = {}): Answer =>
  (_message, response) =>
    response.writeHead(code, headers).end(text);
const body =
  (text: string): Answer =>
  (_message, response) =>
    response.writeHead(200, JSON_TYPE).end(text);
const stream =
  (text: string): Answer =>
  (_message, response) =>
    response.writeHead(200, EVENTS).write(`data: ${text}\n\n`);

/** How a server answers one of two calls, and what comes of it. The other call always succeeds. */
interface Row {
  readonly answer: Answer;
  readonly hasSessions?: false;
  readonly hasLogin?: true;
  /** How the one call ends; `fine` if it was sent again. */
  readonly bad: 'fine' | RegExp;
  /** How often the server got the one call. Default: once. */
  readonly sent?: number;
  /** How many handshakes there were after a third call. Default: one. */
  readonly handshakes?: number;
  readonly state?: 'needs-auth';
}

const challenge = { 'www-authenticate': 'Bearer realm="x"' };
const scope = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="mail write"' };

const rows: Readonly<Record<string, Row>> = {
  '401 without a login': {
    answer: status(401, 'no token'),
    bad: /^The MCP server odd answered the call of bad with HTTP 401 Unauthorized: no token\. The call was not repeated\. Check/,
    handshakes: 2,
  },
  '401 with a challenge': {
    answer: status(401, '', challenge),
    hasLogin: true,
    bad: /cannot be used: it needs a login/,
    handshakes: 2,
    state: 'needs-auth',
  },
  '403': {
    answer: status(403, 'not this one'),
    bad: /answered the call of bad with HTTP 403 Forbidden: not this one\. The call was not repeated/,
    handshakes: 2,
  },
  '403 for a scope': {
    answer: status(403, '', scope),
    hasLogin: true,
    bad: /cannot be used: its login does not have the scope mail write/,
    handshakes: 2,
    state: 'needs-auth',
  },
  '404 with a session': {
    answer: status(404, 'Session not found'),
    bad: 'fine',
    sent: 2,
    handshakes: 2,
  },
  '404 without a session': {
    answer: status(404, 'gone'),
    hasSessions: false,
    bad: /answered the call of bad with HTTP 404 Not Found: gone\. The call was not repeated/,
    handshakes: 2,
  },
  '400 about a session': {
    answer: status(400, 'Bad Request: No valid session ID provided'),
    bad: /answered the call of bad with HTTP 400 Bad Request: .*No valid session ID provided\./,
  },
  '400 about something else that is called a session': {
    answer: status(400, 'The checkout session of this customer is closed.'),
    bad: /HTTP 400 Bad Request: The checkout session of this customer is closed\./,
  },
  '400 about a session where there is none': {
    answer: status(400, 'No session'),
    hasSessions: false,
    bad: /HTTP 400 Bad Request: No session\./,
  },
  '400 about something else': {
    answer: status(400, 'Bad date'),
    bad: /HTTP 400 Bad Request: Bad date\./,
  },
  '500': { answer: status(500, 'oops'), bad: /HTTP 500 Internal Server Error: oops/ },
  '503': { answer: status(503, 'busy'), bad: /outcome of the call of bad is unknown.*HTTP 503/ },
  'an error with the id null in its body': { answer: body(error(null)), bad: /^not you$/ },
  'an error with the id of no request in its body': { answer: body(error(99)), bad: /^not you$/ },
  'an error with the id null in its stream': { answer: stream(error(null)), bad: /^not you$/ },
  'an error without an id in its stream': { answer: stream(error(undefined)), bad: /^not you$/ },
  'a result with the id of no request': {
    answer: body('{"jsonrpc":"2.0","id":99,"result":{"content":[]}}'),
    bad: /answer cannot be used: its id is 99, which no request has/,
  },
};

suite('over HTTP a fault belongs to one call', { concurrency: 4 }, () => {
  for (const [name, row] of Object.entries(rows)) {
    test(`promise 54: ${name}`, limited, async (context) => {
      const web = await WebServer.begin(context);
      web.hasSessions = row.hasSessions ?? true;
      web.tools = ['slow', 'bad'].map((tool) => ({ name: tool, inputSchema: { type: 'object' } }));
      const slow = Promise.withResolvers<() => void>();
      let bad = 0;
      web.onCall = (message, response) => {
        if (message.name === 'bad' && ++bad === 1) return row.answer(message, response);
        if (message.name === 'bad') return web.answer(message, response);
        response.writeHead(200, EVENTS).flushHeaders();
        return slow.resolve(() => response.end(eventFor(message)));
      };
      const folder = await loginFolder(context);
      const entry = web.entry();
      const { connection } = observe(context, entry, {
        ...(row.hasLogin && {
          authProvider: async () => authProviderFor('odd', entry, { folder }),
          loginNeeded: (reason) => loginNeeded('odd', reason),
        }),
      });
      const running = connection.callTool('slow', {});
      const finish = await slow.promise;
      const faulty = connection.callTool('bad', {});
      if (row.bad === 'fine') await faulty;
      else await assert.rejects(faulty, { message: row.bad });
      if (row.state) assert.equal(connection.state.kind, row.state);
      // The old connection takes no new call.
      if (row.bad !== 'fine') await connection.callTool('bad', {});
      assert.equal(bad, (row.sent ?? 1) + (row.bad === 'fine' ? 0 : 1));
      assert.equal(web.count('initialize'), row.handshakes ?? 1);
      assert.equal(web.count('DELETE'), 0, 'the old connection is open while its call runs');
      finish();
      assert.deepEqual(await running, { content: [] });
      await connection.close();
      const closed = web.hasSessions ? (row.handshakes ?? 1) : 0;
      assert.equal(web.count('DELETE'), closed);
    });
  }

  test('many calls refused with 404 at once get one new session', limited, async (context) => {
    const web = await WebServer.begin(context);
    const { connection } = observe(context, web.entry());
    await connection.callTool('a', {});
    web.sessions.clear();
    await Promise.all(Array.from({ length: 8 }, () => connection.callTool('a', {})));
    assert.equal(web.count('initialize'), 2);
    assert.equal(web.count('tools/call'), 1 + 8 + 8);
  });

  test(
    'an old connection ends with the pool, also while its call runs',
    limited,
    async (context) => {
      const web = await WebServer.begin(context);
      const arrived = Promise.withResolvers<void>();
      web.onCall = (_message, response) => {
        response.writeHead(200, EVENTS).flushHeaders();
        arrived.resolve();
      };
      const { connection } = observe(context, web.entry());
      const running = connection.callTool('a', {});
      await arrived.promise;
      web.onCall = status(403);
      await assert.rejects(connection.callTool('a', {}), /HTTP 403/);
      await Promise.all([assert.rejects(running, /was closed/), connection.close()]);
    },
  );

  test('an error without an id on the stream of notices ends no call', limited, async (context) => {
    const web = await WebServer.begin(context);
    const notices = Promise.withResolvers<ServerResponse>();
    web.onGet = (_message, response) => {
      response.writeHead(200, EVENTS).flushHeaders();
      notices.resolve(response);
    };
    web.onCall = async (message, response) => {
      (await notices.promise).write(`data: ${error(null)}\n\n`);
      response.writeHead(200, EVENTS).end(eventFor(message));
    };
    const { connection } = observe(context, web.entry());
    await Promise.all([connection.callTool('a', {}), connection.callTool('a', {})]);
  });
});
