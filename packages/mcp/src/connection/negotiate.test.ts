import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import {
  type Doing,
  type Doings,
  startNegotiationServer,
} from '../../test/connection/negotiation-server.test-support.ts';
import { loginFolder } from '../../test/login/session.test-support.ts';
import { observe } from '../../test/server/server-connection.test-support.ts';
import { Watch } from '../../test/server/watch.test-support.ts';
import { loginNeeded } from '../login/login.ts';
import { authProviderFor } from '../login/server-auth.ts';
import { ConnectError, openConnection } from './live-connection.ts';

const limited = { timeout: 30_000 };
/** A server of an older revision. */
const older: Doings = { probe: { status: 400 }, initialize: 'well', get: { status: 405 } };

/** What a server does, and what comes of it. */
interface Row extends Partial<Doings> {
  readonly protocol?: 'legacy' | '2026-07-28';
  /** The revision, or why the server cannot be used. */
  readonly ends: string | RegExp;
  /** What the next connection may rely on. */
  readonly known?: 'modern' | 'legacy';
  /** The requests until the list of tools, without notifications. */
  readonly asks: string;
  readonly startTimeout?: number;
}

const [OLD, NEW] = ['2025-11-25', '2026-07-28'];
const busy = (text?: string): Doing => ({ status: 503, ...(text && { text }) });
const all = 'server/discover initialize GET';

const rows: Readonly<Record<string, Row>> = {
  'a server of 2026-07-28': { probe: 'well', ends: NEW, known: 'modern', asks: 'server/discover' },
  'an error in JSON-RPC is an answer of an older server': {
    ...{ probe: 'json-rpc error', ends: OLD, known: 'legacy' },
    asks: 'server/discover initialize',
  },
  ...Object.fromEntries(
    [400, 404, 405].map((status) => [
      `${status} is an answer of an older server`,
      {
        probe: { status },
        ends: OLD,
        known: 'legacy',
        asks: 'server/discover initialize',
      } as const,
    ]),
  ),
  ...Object.fromEntries(
    (
      [
        ['503', busy()],
        ['500', { status: 500 }],
        ['a page', 'page'],
        ['403', { status: 403 }],
        ['401 without a challenge', { status: 401 }],
        ['422', { status: 422 }],
      ] as const
    ).map(([name, probe]) => [
      `${name} says nothing about the revision, and is not remembered`,
      { probe, ends: OLD, asks: 'server/discover initialize' } as const,
    ]),
  ),
  'silence says nothing about the revision, and takes a third of the start time': {
    ...{ probe: 'silent', ends: OLD, asks: 'server/discover initialize', startTimeout: 1500 },
  },
  '401 with a challenge is a login': {
    ...{ probe: { status: 401, challenge: true }, ends: /it needs a login/ },
    asks: 'server/discover',
  },
  '403 with a challenge is a refusal': {
    ...{ probe: { status: 403, challenge: true }, ends: /HTTP 403 Forbidden/ },
    asks: 'server/discover',
  },
  ...Object.fromEntries(
    [400, 404, 405].map((status) => [
      `${status} to initialize too: the transport of 2024`,
      {
        probe: { status: 404 },
        initialize: { status },
        get: 'well',
        ends: OLD,
        asks: `${all} initialize`,
      } as const,
    ]),
  ),
  'a busy probe, and 404 to initialize: the transport of 2024': {
    ...{ probe: busy(), initialize: { status: 404 }, get: 'well' },
    ...{ ends: OLD, asks: `${all} initialize` },
  },
  'all ways fail: the first error is told': {
    ...{ probe: busy('first'), initialize: { status: 404, text: 'second' }, get: { status: 405 } },
    ...{ ends: /HTTP 503 Service Unavailable: first/, asks: all },
  },
  'all ways fail, and the last one takes too long: the first error is told': {
    ...{ probe: busy('first'), initialize: { status: 404 }, get: 'silent', startTimeout: 1000 },
    ...{ ends: /HTTP 503 Service Unavailable: first/, asks: all },
  },
  'initialize fails otherwise: nothing else is tried': {
    ...{ probe: { status: 404 }, initialize: { status: 500, text: 'boom' } },
    ...{ ends: /HTTP 500 Internal Server Error: boom/, asks: 'server/discover initialize' },
  },
  'a server that never answers': {
    ...{ probe: 'silent', initialize: 'silent', startTimeout: 900 },
    ...{ ends: /did not answer within 0.9 s/, asks: 'server/discover initialize' },
  },
  'protocol legacy: no probe': {
    ...{ protocol: 'legacy', probe: 'well', ends: OLD, asks: 'initialize' },
  },
  'protocol legacy, over the transport of 2024': {
    ...{ protocol: 'legacy', initialize: { status: 405 }, get: 'well' },
    ...{ ends: OLD, asks: 'initialize GET initialize' },
  },
  'protocol 2026-07-28': {
    ...{ protocol: '2026-07-28', probe: 'well', ends: NEW, known: 'modern' },
    asks: 'server/discover',
  },
  'protocol 2026-07-28 of an older server': {
    ...{ protocol: '2026-07-28', probe: 'json-rpc error' },
    ...{ ends: /did not offer pinned protocol version 2026-07-28/, asks: 'server/discover' },
  },
};

suite('the negotiation over HTTP', { concurrency: 8 }, () => {
  for (const [name, row] of Object.entries(rows)) {
    test(name, limited, (context) => check(context, row));
  }
});

async function check(context: TestContext, row: Row): Promise<void> {
  const { entry, received } = await startNegotiationServer(context, { ...older, ...row });
  const { protocol, startTimeout: timeout = 10_000 } = row;
  const started = performance.now();
  const lifecycle = protocol && { protocol };
  const folder = await loginFolder(context);
  const authProvider = authProviderFor('s', entry, { folder });
  try {
    const live = await openConnection(
      { ...entry, ...(lifecycle && { lifecycle }) },
      { timeout, authProvider },
    );
    assert.equal(live.listing.protocolVersion, row.ends);
    assert.equal(live.known?.kind, row.known);
    await live.close();
    if (row.probe === 'silent') assert.ok(performance.now() - started >= timeout / 3);
  } catch (error) {
    if (!(error instanceof ConnectError && row.ends instanceof RegExp)) throw error;
    const login = loginNeeded('s', error.cause);
    assert.match(login?.reason ?? error.failure.reason, row.ends);
  }
  const isOfHandshake = (method: string): boolean => /^(?:server|init|GET)/.test(method);
  const end = received.indexOf('tools/list');
  const asked = received.slice(0, end === -1 ? undefined : end).filter(isOfHandshake);
  // After `initialized` a client of 2025-11-25 opens a stream of notices.
  const notices = typeof row.ends === 'string' && row.get !== 'well' ? /(?: GET)+$/ : /$/;
  assert.equal(asked.join(' ').replace(notices, ''), row.asks);
}

test('a server whose port is closed is tried once', limited, async (context) => {
  const { entry } = await startNegotiationServer(context, older);
  const closed = { ...entry, url: 'http://127.0.0.1:1/mcp' };
  await assert.rejects(openConnection(closed), /ECONNREFUSED|EACCES|bad port/);
});

test(
  'a server of 2026-07-28 that was busy is not taken for an older one later',
  limited,
  async (context) => {
    const server = await startNegotiationServer(context, { ...older, probe: busy() });
    const { connection } = observe(context, server.entry);
    await connection.start();
    assert.equal(connection.listing?.protocolVersion, OLD);
    await connection.stop();
    server.doings.probe = 'well';
    await connection.start();
    assert.equal(connection.listing?.protocolVersion, NEW);
    await connection.stop();
    server.doings.probe = busy();
    // What is known of it stays.
    await connection.start();
    assert.equal(connection.listing?.protocolVersion, NEW);
  },
);

test(
  'over stdio: the older handshake first, unless the entry says otherwise',
  limited,
  async (context) => {
    const watch = await Watch.begin(context);
    const discover = `{ resultType: 'complete', ttlMs: 0, cacheScope: 'private',
    supportedVersions: ['2026-07-28'], capabilities: {}, instructions: asked.join(' ') }`;
    // A server of 2026-07-28 only. Its instructions say what it was asked.
    const entry = await watch.entry({
      before: `const asked = [];
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        asked.push(method);
        if (method === 'server/discover') say({ id, result: ${discover} });
        else if (id !== undefined) say({ id, error: { code: -32601, message: 'no ' + method } });
      });
      return;`,
    });
    const asked = async (protocol?: 'auto' | 'legacy' | '2026-07-28') => {
      const lifecycle = protocol && { protocol };
      const live = await openConnection({ ...entry, ...(lifecycle && { lifecycle }) });
      context.after(() => live.close());
      return live.listing.instructions;
    };
    assert.equal(await asked(), 'initialize server/discover');
    assert.equal(await asked('auto'), 'initialize server/discover');
    assert.equal(await asked('2026-07-28'), 'server/discover');
    await assert.rejects(asked('legacy'), /no initialize/);
  },
);
