// test: slow
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, type TestContext, test } from 'node:test';
import {
  createSession,
  forkSession,
  type Lease,
  newOwner,
} from '@toolfold/agent/internal/sessions';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { SessionWriter, textsOf } from '@toolfold/testing/internal/store-cases/writer.ts';
import { Client, Pool } from 'pg';
import { type PostgresStore, postgresStore } from '../src/index.ts';
import { Database } from '../src/store/database.ts';
import { creation } from '../src/store/sessions.ts';
import { type Cluster, NO_SERVER, startCluster } from './cluster.test-support.ts';

describe('sessions in PostgreSQL', { skip: NO_SERVER }, () => {
  let cluster: Cluster;
  let schemas = 0;
  before(async () => {
    cluster = await startCluster();
  });
  after(() => cluster.remove());

  async function open(context: TestContext, schema = `s${++schemas}`): Promise<PostgresStore> {
    const store = await postgresStore({ connection: { ...cluster.connection, max: 4 }, schema });
    context.after(() => store.close());
    return store;
  }

  async function ask(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
    const admin = new Client(cluster.connection);
    await admin.connect();
    const { rows } = await admin.query(sql, values).finally(() => admin.end());
    return rows;
  }

  test('ids, titles, folders and kinds come back exactly, whatever they hold', async (context) => {
    const store = await open(context);
    const odd = 'a\u0000b\ud800c\u001a0000\udc00 \ud83d\ude00 %\\\u202e';
    const record = { id: odd, createdAt: 1, title: odd, folder: odd, forkOf: odd };
    await store.create(record);
    await store.create({ id: 'child', createdAt: 1, parent: odd });
    const listed = { ...record, leaf: null, seq: 0, changedAt: 1 };
    assert.deepEqual(await store.list({ folder: odd }), [listed]);
    assert.deepEqual(
      (await store.list({ parent: odd })).map(({ parent }) => parent),
      [odd],
    );
    const lease = await store.acquire(odd, newOwner());
    const message = { id: odd, kind: 'user', body: { [odd]: odd } } as const;
    await store.post(odd, message);
    const entry = { id: odd, parent: null, seq: 1, kind: odd, body: { [odd]: odd }, at: 1 };
    await store.append([entry], { lease, texts: new Map([[odd, odd]]) });
    assert.deepEqual(await store.read(odd), [entry]);
    assert.equal(await store.text(odd), odd);
    assert.deepEqual((await store.look(lease)).messages, [
      { ...message, at: (await store.look(lease)).messages[0]?.at },
    ]);
    await store.rename(odd, `${odd}2`);
    assert.equal((await store.get(odd))?.title, `${odd}2`);
    await assert.rejects(store.create({ id: 'x', createdAt: 1, parent: 'x' }), {
      code: 'invalid-option',
    });
  });

  test('a value that can never be kept is refused for good', async (context) => {
    const store = await open(context);
    const random = Array.from({ length: 500 }, (_, n) =>
      createHash('sha256').update(`${n}`).digest('hex'),
    );
    for (const session of [
      { id: 'a', createdAt: 1.5 },
      { id: 'a', createdAt: Number.NaN },
      { id: 'a', createdAt: 2 ** 70 },
      { id: random.join(''), createdAt: 1 },
    ])
      await assert.rejects(store.create(session), { code: 'invalid-option' });
    await assert.rejects(store.list({ limit: 1.5 }), { code: 'invalid-option' });
    assert.deepEqual(await store.list(), []);
  });

  test('append, look and renew are one statement each, without a name', async (context) => {
    const store = await open(context);
    const leases: Lease[] = [];
    for (let index = 0; index < 20; index++) {
      await store.create({ id: `s${index}`, createdAt: 1 });
      leases.push(await store.acquire(`s${index}`, newOwner()));
    }
    const [lease] = leases;
    assert.ok(lease);
    await store.post('s0', { id: 'm', kind: 'user', body: {} });
    const query = context.mock.method(Pool.prototype, 'query', Pool.prototype.query);
    const connect = context.mock.method(Client.prototype, 'query', Client.prototype.query);
    const statements = async (work: () => Promise<unknown>) => {
      query.mock.resetCalls();
      connect.mock.resetCalls();
      await work();
      for (const {
        arguments: [statement],
      } of query.mock.calls)
        assert.equal(typeof statement, 'string');
      return [query.mock.callCount(), connect.mock.callCount()];
    };
    const entry = { kind: 'user', body: {}, at: 1, words: 'some words' };
    const entries = [
      { ...entry, id: '1', parent: null, seq: 1 },
      { ...entry, id: '2', parent: '1', seq: 2 },
    ];
    const texts = new Map([
      ['a', 'text a'],
      ['b', 'text b'],
    ]);
    const append = () => store.append(entries, { lease, texts, taken: ['m'] });
    assert.deepEqual(await statements(append), [1, 1]);
    assert.deepEqual(
      await statements(() => Promise.all(leases.map((one) => store.look(one)))),
      [1, 1],
    );
    assert.deepEqual(
      await statements(() => Promise.all(leases.map((one) => store.renew(one)))),
      [1, 1],
    );
  });

  test('300 forks that several clients make while their sessions are removed have all entries', async (context) => {
    const first = await open(context, 'forks');
    const clients = [first, await open(context, 'forks'), await open(context, 'forks')];
    const outcomes = { forked: 0, refused: 0, empty: 0 };
    for (let round = 0; round < 30; round++) {
      const writer = await SessionWriter.of(first);
      const leaf = await writer.say('a', 'b', 'c');
      await first.release(writer.lease);
      const forks = Array.from({ length: 10 }, async (_, index) => {
        const id = `${round} ${index}`;
        const client = clients[index % 3] ?? first;
        try {
          await client.create({ id, createdAt: 1, leaf: leaf.id });
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'invalid-option');
          outcomes.refused++;
          return;
        }
        const texts = await textsOf(client, id);
        if (texts.length === 0) outcomes.empty++;
        assert.deepEqual(texts, ['a', 'b', 'c']);
        outcomes.forked++;
      });
      await Promise.all([...forks, clients[round % 3]?.remove(writer.id)]);
    }
    assert.equal(outcomes.forked + outcomes.refused, 300);
    assert.equal(outcomes.empty, 0);
    assert.ok(outcomes.forked > 0, 'some came before the removal');
    context.diagnostic(JSON.stringify(outcomes));
  });

  test('a client that is killed loses nothing that was durable, and holds nothing', {
    timeout: 60_000,
  }, async (context) => {
    const store = await open(context, 'killed');
    for (let round = 0; round < 5; round++) {
      const id = `s${round}`;
      await store.create({ id, createdAt: 1 });
      const script = join(import.meta.dirname, 'appending.test-support.ts');
      const args = [script, JSON.stringify(cluster.connection), 'killed', id];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      let durable = 0;
      for await (const line of createInterface({ input: child.stdout })) {
        durable = Number(line);
        if (durable === 5 + round * 7) child.kill('SIGKILL');
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await assert.rejects(store.acquire(id, newOwner()), { code: 'session-busy' });
      await ask('UPDATE killed.session SET renewed_at = renewed_at - 15000 WHERE id = $1', id);
      const next = await SessionWriter.open(store, id);
      const entries = await store.read(id);
      assert.ok(entries.length === durable || entries.length === durable + 1);
      const { messages } = await store.look(next.lease);
      // Each message is taken by its entry, or waits.
      const posted = await ask(
        'SELECT count(*)::int AS count FROM killed.inbox JOIN killed.session ON session = session.number WHERE session.id = $1',
        id,
      );
      assert.equal(entries.length + messages.length, posted[0]?.count);
      await next.say('goes on');
      await store.release(next.lease);
      assert.equal(await store.remove(id), true);
    }
    assert.equal(await store.text('0'.repeat(64)), undefined);
    for (const table of ['entry', 'words', 'text', 'text_use', 'inbox', 'segment', 'draft'])
      assert.deepEqual(await ask(`SELECT * FROM killed.${table}`), [], table);
  });

  test('a client that stops within a removal does not stop others for long', {
    timeout: 60_000,
  }, async (context) => {
    const store = await open(context, 'stopped');
    const writer = await SessionWriter.of(store);
    const leaf = await writer.say('a');
    const database = new Database(cluster.connection, 'stopped');
    context.after(() => database.close());
    const stuck = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<void>();
    const stopped = database.transaction(async (query) => {
      await query('SELECT pg_advisory_xact_lock($1)', database.lock);
      await query('SELECT number FROM @session FOR UPDATE');
      stuck.resolve();
      await goesOn.promise;
    });
    await stuck.promise;
    const begun = performance.now();
    await Promise.all([
      store.create({ id: 'fork', createdAt: 1, leaf: leaf.id }),
      store.renew(writer.lease),
    ]);
    assert.ok(performance.now() - begun < 12_000);
    goesOn.resolve();
    await assert.rejects(stopped, { code: 'session-unavailable' });
  });

  test('a database that is away for a while is waited for, and what was appended counts once', {
    timeout: 60_000,
  }, async (context) => {
    const store = await open(context);
    const session = await createSession(store, { id: 'a' });
    await session.begin({ onMessage: () => {}, onLost: (error) => assert.fail(String(error)) });
    const add = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () => session.append([{ kind: 'user', body: {} }])),
      );
    await add(3);
    const appended = add(30);
    await cluster.stop('SIGQUIT');
    const waited = [store.get('a'), store.create({ id: 'b', createdAt: 1 })];
    await cluster.start();
    await Promise.all([appended, ...waited]);
    await add(1);
    const entries = await store.read('a');
    assert.equal(entries.length, 34);
    assert.deepEqual(entries, session.entries);
    const fork = await forkSession(session, 5);
    assert.equal(fork.entries.length, 5);
    await session.end();
  });

  test('a creation whose answer was lost is not refused when it is tried again', async (context) => {
    await open(context, 'again');
    const database = new Database(cluster.connection, 'again');
    context.after(() => database.close());
    const create = creation(database, { id: 'a', createdAt: 1 });
    await create();
    await create();
    await assert.rejects(creation(database, { id: 'a', createdAt: 1 })(), {
      code: 'invalid-option',
    });
  });

  test('tables with more steps than this version knows are used, and their owner need not be asked', async (context) => {
    await open(context, 'newer');
    await ask('INSERT INTO newer.step VALUES (1000)');
    await ask('CREATE ROLE plain LOGIN');
    await ask('GRANT USAGE ON SCHEMA newer TO plain');
    await ask('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA newer TO plain');
    const connection = { ...cluster.connection, user: 'plain' };
    await using store = await postgresStore({ connection, schema: 'newer' });
    const writer = await SessionWriter.of(store);
    await writer.say('a');
    await store.release(writer.lease);
    assert.equal(await store.remove(writer.id), true);
    const refused = postgresStore({ connection, schema: 'none' });
    await assert.rejects(refused, { code: 'session-unavailable', message: /permission denied/ });
  });

  test('after a failover that has lost a lease, its owner is told, although the next has its number', async (context) => {
    const store = await open(context, 'failover');
    const first = await SessionWriter.of(store, { id: 'a' });
    await ask('UPDATE failover.session SET fence = 0, owner = NULL, instance = NULL');
    const next = await SessionWriter.open(store, 'a');
    assert.equal(next.lease.fence, first.lease.fence);
    const { lease } = first;
    const works = [store.renew(lease), store.look(lease), store.show(lease, {}), first.say('a')];
    for (const done of await Promise.allSettled(works))
      assert.equal(done.status === 'rejected' && done.reason.code, 'session-lost');
    await store.release(lease);
    await next.say('b');
    // The entry was lost, too: the log is shorter than its holder knows.
    await ask('DELETE FROM failover.entry');
    await ask('UPDATE failover.session SET seq = 0, leaf = NULL');
    await assert.rejects(next.say('c'), { code: 'session-lost' });
  });

  test('who watches a session or posts to it while it is removed is told that it is gone', async (context) => {
    const store = await open(context);
    for (let round = 0; round < 20; round++) {
      await store.create({ id: 'a', createdAt: 1 });
      const works = [
        store.remove('a'),
        ...Array.from({ length: 3 }, (_, n) =>
          store.post('a', { id: `${n}`, kind: 'user', body: {} }),
        ),
        store.watch('a'),
        store.rename('a', 'b'),
      ];
      for (const done of await Promise.allSettled(works))
        assert.ok(
          done.status === 'fulfilled' || done.reason.code === 'session-unknown',
          String(done),
        );
    }
  });

  test('several processes may open an empty database at once', async (context) => {
    const stores = await Promise.all(Array.from({ length: 6 }, () => open(context, 'at once')));
    await stores[0]?.create({ id: 'a', createdAt: 1 });
    assert.equal((await stores[5]?.get('a'))?.id, 'a');
  });

  test('words are found as in SQLite', async (context) => {
    const [store, known] = [await open(context), memoryStore()];
    const lines = [
      'Ärger im Café, täglich',
      'ẞtraße STRASSE',
      'İstanbul ığdır',
      'e\u0301te\u0301 été',
      'Việt Nam ệ',
      'мой йод',
      'ΣΊΣΥΦΟΣ ς',
      '東京都 大阪',
      '한국어 문서',
      'ﬁne Ⅷ x²',
      "it's o'clock",
      'snake_case kebab-case a.b@c.d',
      '🦑 squid 12.5 3,000',
      'naïve\u0000cut',
      `${'x'.repeat(3_000)}tail`,
      'שָׁלוֹם',
      'العَرَبِيَّة',
      'Żółć łódź ŁÓDŹ ø Ø',
    ];
    for (const one of [store, known]) {
      const writer = await SessionWriter.of(one, { id: 'a' });
      for (const line of lines) await writer.say(line);
      await writer.say(`first ${'filler '.repeat(20_000)} last`);
    }
    const queries = [
      ...lines
        .flatMap((line) => line.split(/[\s,]+/))
        .flatMap((word) => [word, word.toUpperCase(), word.slice(0, 2)]),
      'arger cafe',
      'cafe arger',
      'first last',
      'last firs',
      'first none',
      'ete',
      'viet',
      'e',
      'lodz',
      'istanbul',
      'мои',
      'кебаб',
    ];
    const differing: string[] = [];
    for (const query of queries) {
      const [found, expected] = await Promise.all(
        [store, known].map(async (one) => (await one.search(query)).map(({ seq }) => seq)),
      );
      if (`${found}` !== `${expected}`) differing.push(`${query}: ${found} and not ${expected}`);
    }
    assert.deepEqual(differing, []);
  });

  test('an address without a server, a closed store and wrong options are named', async (context) => {
    const connection = {
      ...cluster.connection,
      host: join(String(cluster.connection.host), 'none'),
    };
    const none = postgresStore({ connection, retryTimeout: 50 });
    await assert.rejects(none, { code: 'session-unavailable' });
    const password = { connection: 'postgres://me:secret@localhost:1/base', retryTimeout: 0 };
    await assert.rejects(
      postgresStore(password),
      (error: Error) => !error.message.includes('secret'),
    );
    const store = await open(context);
    await store.close();
    await store.close();
    await assert.rejects(store.list(), { code: 'session-unavailable', message: /closed/ });
    await assert.rejects(
      postgresStore({ connection: 'postgres://me:secret@[x/' }),
      (error: Error) =>
        /"connection"/.test(error.message) && !/secret/.test(`${error.message} ${error.cause}`),
    );
    for (const wrong of [{ schema: '' }, { schema: 7 }, { retryTimeout: -1 }, { connection: '' }])
      await assert.rejects(
        postgresStore({ connection: 'postgres://localhost', ...wrong } as never),
        {
          code: 'invalid-option',
          message: new RegExp(`"${Object.keys(wrong)[0]}"`),
        },
      );
  });
});
