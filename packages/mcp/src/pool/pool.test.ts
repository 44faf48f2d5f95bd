import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { Watch } from '../../test/server/watch.test-support.ts';
import type { ServerEntry, StdioServerEntry } from '../config/config.ts';
import { type Manifest, type ManifestStore, manifestOf } from '../server/manifest.ts';
import type { PoolOptions, ServerPool, ServerSession } from './contract.ts';
import { createServerPool } from './pool.ts';

const limited = { timeout: 30_000 };
const pidOf = async (from: Pick<ServerSession, 'connection'>, name: string): Promise<unknown> =>
  from.connection(name)?.callTool('pid', {});
const source = {
  tools: "[{ name: 'pid' }]",
  call: 'say({ id: message.id, result: { pid: process.pid } });',
};
const listing = { tools: [{ name: 'pid' }], duplicates: [], warnings: [] };
const day = 24 * 3_600_000;

/** A store in memory, with what was saved. */
function storeWith(manifest: Manifest | undefined): ManifestStore & { readonly saved: Manifest[] } {
  const saved: Manifest[] = [];
  return {
    saved,
    load: async () => manifest,
    save: async (_name, _entry, one) => void saved.push(one),
  };
}

type Servers = Readonly<Record<string, ServerEntry>>;
const configOf = (servers: Servers, trusted: readonly string[] = []) => ({
  servers: new Map(Object.entries(servers)),
  settings: { servers: Object.fromEntries(trusted.map((name) => [name, { trusted: true }])) },
});

async function open(
  context: TestContext,
  servers: Servers,
  manifest: Manifest | undefined = manifestOf(listing, undefined, Date.now()),
  options: PoolOptions = {},
): Promise<ServerPool> {
  const pool = await createServerPool(configOf(servers), {
    manifests: storeWith(manifest),
    ...options,
  });
  context.after(() => pool.close());
  return pool;
}

suite('the pool', { concurrency: 4 }, () => {
  test(
    'with a fresh list no server starts; with an old one in the background',
    limited,
    async (context) => {
      const watch = await Watch.begin(context);
      const entry = await watch.entry(source);
      const fresh = await open(context, { a: entry, b: entry });
      assert.deepEqual(await fresh.ready(), []);
      assert.deepEqual(
        fresh.servers.map(({ state, tools }) => [state, tools]),
        [
          ['idle', 1],
          ['idle', 1],
        ],
      );
      for (const listedAt of [Date.now() - 2 * day, Date.now() + 2 * day]) {
        const listed = Promise.withResolvers<Manifest>();
        const store = storeWith(manifestOf(listing, undefined, listedAt));
        store.save = async (_name, _entry, manifest) => listed.resolve(manifest);
        const pool = await open(context, { a: entry }, undefined, { manifests: store });
        // The call does not wait for anything but the start.
        await pidOf(pool, 'a');
        assert.ok(Math.abs((await listed.promise).listedAt - Date.now()) < day);
      }
    },
  );

  test('update() keeps what did not change, ends what was removed', limited, async (context) => {
    const watch = await Watch.begin(context);
    const [a, b, c] = [
      await watch.entry(source),
      await watch.entry(source),
      await watch.entry(source),
    ];
    const pool = await open(context, { a, b, c });
    const before = await Promise.all(['a', 'b', 'c'].map((name) => pidOf(pool, name)));
    const changed = { ...b, args: [...b.args, 'changed'] };
    const [removed] = pool.connections.slice(2);
    await pool.update(configOf({ a: { ...a, env: new Map(a.env) }, b: changed, d: c }));
    assert.deepEqual(
      pool.servers.map(({ name }) => name),
      ['a', 'b', 'd'],
    );
    assert.deepEqual(await pidOf(pool, 'a'), before[0]);
    assert.notDeepEqual(await pidOf(pool, 'b'), before[1]);
    assert.notDeepEqual(await pidOf(pool, 'd'), before[2]);
    assert.equal(removed?.state.kind, 'closed');
    await pool.close();
    await watch.allGone();
  });

  test('update() of an empty pool calls the listeners', limited, async (context) => {
    const watch = await Watch.begin(context);
    const entry = await watch.entry(source);
    const pool = await open(context, {});
    const changed = Promise.withResolvers<void>();
    pool.onChange(changed.resolve);
    await pool.update(configOf({ a: entry }));
    await changed.promise;
    assert.deepEqual(
      pool.groups.map(({ groupId }) => groupId),
      ['mcp:a'],
    );
  });

  test('updates at once run one after another', limited, async (context) => {
    const watch = await Watch.begin(context);
    const entry = await watch.entry(source);
    const pool = await open(context, { a: entry });
    const first = pool.update(configOf({ a: entry, b: entry }));
    const second = pool.update(configOf({ b: entry }));
    const third = pool.update(configOf({ a: entry, b: entry }));
    await Promise.all([first, second, third]);
    await Promise.all([pidOf(pool, 'a'), pidOf(pool, 'b')]);
    assert.deepEqual(
      pool.servers.map(({ state }) => state),
      ['ready', 'ready'],
    );
  });

  test(
    'close() during an update leaves nothing, and nothing starts after it',
    limited,
    async (context) => {
      const watch = await Watch.begin(context);
      const entry = { ...(await watch.entry(source)), lifecycle: { perSession: true } };
      const pool = await open(context, {});
      const updating = pool.update(configOf({ a: entry }));
      await Promise.all([pool.close(), updating]);
      await assert.rejects(pidOf(pool, 'a'), /was closed/);
      await assert.rejects(pidOf(pool.session(), 'a'), /was closed/);
      await watch.allGone();
    },
  );

  test(
    'two sessions have two processes, and closing one leaves the other',
    limited,
    async (context) => {
      const watch = await Watch.begin(context);
      const shared = await watch.entry(source);
      const own: StdioServerEntry = {
        ...(await watch.entry(source)),
        lifecycle: { perSession: true },
      };
      const pool = await open(context, { shared, own });
      const [one, two] = [pool.session(), pool.session()];
      const pids = await Promise.all([pidOf(one, 'own'), pidOf(two, 'own')]);
      assert.notDeepEqual(pids[0], pids[1]);
      assert.deepEqual(await pidOf(one, 'shared'), await pidOf(two, 'shared'));
      await one.close();
      await assert.rejects(pidOf(one, 'own'), /was closed/);
      assert.deepEqual(await pidOf(two, 'own'), pids[1]);
      await pool.close();
      await watch.allGone();
    },
  );

  test(
    'a server that is removed ends in every session; trust that ends, too',
    limited,
    async (context) => {
      const watch = await Watch.begin(context);
      const own: StdioServerEntry = {
        ...(await watch.entry(source)),
        lifecycle: { perSession: true },
      };
      const pool = await open(context, {});
      await pool.update(configOf({ own }, ['own']));
      const session = pool.session();
      await pidOf(session, 'own');
      assert.equal(session.groups[0]?.trusted, true);
      await pool.update(configOf({ own }));
      assert.notEqual(session.groups[0]?.trusted, true);
      await pool.update(configOf({}));
      await watch.allGone();
      assert.deepEqual(session.groups, []);
    },
  );

  test(
    'a definition that changed between runs is refused, and works when it was read again',
    limited,
    async (context) => {
      const watch = await Watch.begin(context);
      const entry = await watch.entry({
        ...source,
        tools: "[{ name: 'pid', description: 'new' }]",
      });
      const pool = await open(context, { a: entry });
      const changed = Promise.withResolvers<void>();
      pool.onChange(changed.resolve);
      const callOf = async (): Promise<unknown> => {
        const [tool] = await (pool.groups[0]?.loader({ signal: AbortSignal.timeout(20_000) }) ??
          assert.fail('no group'));
        return tool?.execute?.({}, {} as never);
      };
      await assert.rejects(callOf(), /is no longer the one that was listed\. It was not called/);
      await changed.promise;
      assert.ok(await callOf());
    },
  );

  test('a store on a full disk does not stop anything', limited, async (context) => {
    const watch = await Watch.begin(context);
    const entry = await watch.entry(source);
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const store = { load: () => Promise.reject(full), save: () => Promise.reject(full) };
    const warnings: string[] = [];
    const onEvent: PoolOptions['onEvent'] = (event) =>
      event.kind === 'warning' && warnings.push(event.text);
    const pool = await open(context, { a: entry }, undefined, { manifests: store, onEvent });
    assert.ok(await pidOf(pool, 'a'));
    assert.match(warnings.join(), /cannot be cached: no space left/);
  });
});
