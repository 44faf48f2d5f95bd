import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { HttpServerEntry } from '../../src/config/config.ts';
import { observe } from '../server/server-connection.test-support.ts';
import { type Received, WebServer } from './web-server.test-support.ts';

const limited = { timeout: 30_000 };

/** An answer to the first request of a method, and what comes of it. */
interface Row {
  readonly at: 'initialize' | 'tools/list' | 'tools/call';
  readonly status: number;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly ends: 'fine' | RegExp;
  /** How often the method was received. Default: once. */
  readonly received?: number;
  /** The header `Authorization` of the entry. */
  readonly authorization?: string;
  readonly kind?: 'sse';
}

const inHalfAMinute = { 'retry-after': '30' };
const inASecond = { 'retry-after': '1' };
const html = '<!DOCTYPE html><html><head><title>Bad gateway</title></head><body>…</body></html>';
const rpc = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no such date"}}';

const rows: Readonly<Record<string, Row>> = {
  'a call: 429 with a short Retry-After is waited for': {
    ...{ at: 'tools/call', status: 429, headers: inASecond, received: 2 },
    ends: 'fine',
  },
  'a call: 429 with a Retry-After beyond its time is told': {
    ...{ at: 'tools/call', status: 429, headers: inHalfAMinute, text: 'slow down' },
    ends: /answered the call of a with HTTP 429 Too Many Requests; again in 30 s: slow down\. The call was not repeated\. Wait before/,
  },
  'a call: 429 with a Retry-After as a date': {
    ...{ at: 'tools/call', status: 429 },
    headers: { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() },
    ends: /HTTP 429 Too Many Requests; again in 3,?[0-6]\d\d s\./,
  },
  'a call: 429 with a Retry-After that is none': {
    ...{ at: 'tools/call', status: 429, headers: { 'retry-after': 'soon' } },
    ends: /HTTP 429 Too Many Requests\. The/,
  },
  'a call: 503 with a Retry-After may have run, so it is told': {
    ...{ at: 'tools/call', status: 503, headers: inASecond },
    ends: /outcome of the call of a is unknown: .*\(HTTP 503 Service Unavailable; again in 1 s\)/,
  },
  'a call: the title of a page': {
    ...{ at: 'tools/call', status: 500, text: html },
    ends: /with HTTP 500 Internal Server Error: Bad gateway\. The/,
  },
  'a call: the message of an error in JSON-RPC': {
    ...{ at: 'tools/call', status: 400, text: rpc },
    ends: /with HTTP 400 Bad Request: no such date\. The call was not repeated\. Correct/,
  },
  'a start: 429 with a short Retry-After is waited for': {
    ...{ at: 'initialize', status: 429, headers: inASecond, received: 2 },
    ends: 'fine',
  },
  'a start: 503 with a short Retry-After is waited for': {
    ...{ at: 'tools/list', status: 503, headers: inASecond, received: 2 },
    ends: 'fine',
  },
  'a start: a Retry-After beyond its time is told': {
    ...{ at: 'initialize', status: 429, headers: inHalfAMinute },
    ends: /it answered with HTTP 429 Too Many Requests; again in 30 s\. Connect again later/,
  },
  'a start: 500': {
    ...{ at: 'initialize', status: 500, text: 'boom' },
    ends: /it answered with HTTP 500 Internal Server Error: boom\. Connect again later/,
  },
  'a start: 401 with a header names the header': {
    ...{ at: 'initialize', status: 401, authorization: 'Bearer x' },
    ends: /it refused access \(HTTP 401 Unauthorized\)\. Check the header "Authorization"/,
  },
  'a start: 403 without a header': {
    ...{ at: 'initialize', status: 403, text: 'members only' },
    ends: /it refused access \(HTTP 403 Forbidden: members only\)\. Check the credentials/,
  },
};

suite('errors over HTTP have a number and a reason', { concurrency: 8 }, () => {
  for (const [name, row] of Object.entries(rows)) {
    test(name, limited, async (context) => {
      const web = await WebServer.begin(context);
      web.onAll = ({ method }: Received, response) => {
        if (method !== row.at || web.count(row.at) > 1) return false;
        response.writeHead(row.status, row.headers ?? {}).end(row.text);
        return true;
      };
      const headers = new Map(row.authorization ? [['Authorization', row.authorization]] : []);
      const lifecycle = { callTimeout: 5000 };
      const entry: HttpServerEntry = { ...web.entry(), headers, lifecycle };
      const { connection } = observe(context, entry, { startTimeout: 10_000 });
      const call = connection.callTool('a', {});
      if (row.ends === 'fine') await call;
      else await assert.rejects(call, row.ends);
      assert.equal(web.count(row.at), row.received ?? 1);
    });
  }

  test('a wait for Retry-After ends with the connection', limited, async (context) => {
    const web = await WebServer.begin(context);
    const arrived = Promise.withResolvers<void>();
    web.onCall = (_message, response) => {
      response.writeHead(429, inHalfAMinute).end(() => arrived.resolve());
    };
    const { connection } = observe(context, web.entry());
    const call = connection.callTool('a', {});
    await arrived.promise;
    await Promise.all([assert.rejects(call, /was closed/), connection.close()]);
  });
});
