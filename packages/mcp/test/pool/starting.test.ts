import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { StdioServerEntry } from '../../src/config/config.ts';
import type { ListedTool } from '../../src/connection/listing.ts';
import { followConfig } from '../../src/pool/connect-servers.ts';
import type { PoolOptions, ServerPool } from '../../src/pool/contract.ts';
import { createServerPool } from '../../src/pool/pool.ts';
import { manifestFiles } from '../../src/server/manifest.ts';
import type { PoolEvent } from '../../src/server/state.ts';
import { Watch } from '../server/watch.test-support.ts';

const limited = { timeout: 30_000 };
const signal = new AbortController().signal;
const settings = undefined;

interface Opened {
  readonly pool: ServerPool;
  readonly events: PoolEvent[];
  /** Waits for a state of a server. */
  readonly reaches: (server: string, kind: string) => Promise<void>;
}

const ENDS = new WeakMap<TestContext, (() => Promise<void>)[]>();

/** Runs it at the end of the test, the last one first: a pool writes into its folder until it is closed. */
function atEnd(context: TestContext, end: () => Promise<void>): void {
  const known = ENDS.get(context);
  if (known) return void known.unshift(end);
  const ends = [end];
  ENDS.set(context, ends);
  context.after(async () => {
    for (const one of ends) await one();
  });
}

async function folderOf(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  atEnd(context, () => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function open(
  context: TestContext,
  servers: Record<string, StdioServerEntry>,
  options: PoolOptions = { manifests: false },
): Promise<Opened> {
  const events: PoolEvent[] = [];
  const waiting: (() => void)[] = [];
  const pool = await createServerPool(
    { servers: new Map(Object.entries(servers)), settings },
    {
      ...options,
      onEvent: (event) => {
        events.push(event);
        for (const resume of waiting.splice(0)) resume();
      },
    },
  );
  atEnd(context, () => pool.close());
  const reaches = async (server: string, kind: string): Promise<void> => {
    while (pool.connection(server)?.state.kind !== kind) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  return { pool, events, reaches };
}

/** A server that lists `b` only to hosts whose users can be asked. */
const ofCapabilities = {
  before: `let can = {};
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { method, params } = JSON.parse(line);
      if (method === 'initialize') can = params.capabilities; });`,
  tools: "() => ({ tools: [{ name: 'a' }, ...(can.elicitation ? [{ name: 'b' }] : [])] })",
};

test('a host that can be asked gets the list for such hosts', limited, async (context) => {
  const watch = await Watch.begin(context);
  const manifests = manifestFiles({ folder: await folderOf(context) });
  const entry = await watch.entry(ofCapabilities);
  const countWith = async (requests: PoolOptions['requests']): Promise<readonly number[]> => {
    const { pool, events } = await open(context, { a: entry }, { manifests, requests });
    await pool.ready();
    await pool.close();
    const starts = events.filter((event) => event.kind === 'state' && event.to.kind === 'ready');
    return [pool.servers[0]?.tools ?? 0, starts.length];
  };
  assert.deepEqual(await countWith({}), [1, 1]);
  assert.deepEqual(await countWith({ elicitation: 'form' }), [2, 1]);
  // Both lists are cached.
  assert.deepEqual(await countWith({}), [1, 0]);
  assert.deepEqual(await countWith({ elicitation: 'form' }), [2, 0]);
});

async function toolOf(pool: Pick<ServerPool, 'groups'>, server: string, name: string) {
  const group = pool.groups.find(({ groupId }) => groupId === `mcp:${server}`);
  const tools = await group?.loader({ signal });
  return tools?.find((tool) => tool.name === name) ?? assert.fail(`${server} has no ${name}`);
}

const answers = 'say({ id: message.id, result: { content: [], pid: process.pid } });';

test(
  'promise 53: with a cached list no server starts before it is called',
  limited,
  async (context) => {
    const watch = await Watch.begin(context);
    const manifests = manifestFiles({ folder: await folderOf(context) });
    const entry = await watch.entry({ tools: "[{ name: 'a' }]", call: answers });
    const first = await open(context, { a: entry, b: entry }, { manifests });
    assert.deepEqual(await first.pool.ready(), []);
    await first.pool.close();
    await watch.allGone();

    const { pool, events } = await open(context, { a: entry, b: entry }, { manifests });
    assert.deepEqual(
      pool.servers.map(({ name, state, tools }) => [name, state, tools]),
      [
        ['a', 'idle', 1],
        ['b', 'idle', 1],
      ],
    );
    assert.deepEqual(
      pool.groups.map(({ toolNames, unavailable }) => [toolNames, unavailable]),
      [
        [['a'], undefined],
        [['a'], undefined],
      ],
    );
    assert.deepEqual(await pool.ready(), []);
    assert.deepEqual(events, []);
    await (await toolOf(pool, 'b', 'a')).execute?.({}, { signal });
    assert.deepEqual(
      pool.servers.map(({ state }) => state),
      ['idle', 'ready'],
    );
  },
);

test('an old list is used, and read again in the background', limited, async (context) => {
  const watch = await Watch.begin(context);
  const manifests = manifestFiles({ folder: await folderOf(context) });
  const entry = await watch.entry({ tools: "[{ name: 'a' }]" });
  const old = { tools: [{ name: 'old' }], duplicates: [], warnings: [] };
  const { manifestOf } = await import('../../src/server/index.ts');
  for (const age of [25, -25]) {
    await manifests.save('a', entry, manifestOf(old, undefined, Date.now() - age * 3_600_000));
    const { pool, events, reaches } = await open(context, { a: entry }, { manifests });
    assert.deepEqual(pool.groups[0]?.toolNames, ['old']);
    await reaches('a', 'ready');
    assert.deepEqual(pool.groups[0]?.toolNames, ['a']);
    assert.deepEqual(
      events.filter(({ kind }) => kind === 'tools-changed'),
      [{ kind: 'tools-changed', server: 'a', added: ['a'], removed: ['old'], changed: [] }],
    );
    await pool.close();
  }
});

test(
  'promise 53: a server that hangs holds up nobody, and ready says who is missing',
  limited,
  async (context) => {
    const watch = await Watch.begin(context);
    const good = await watch.entry({ tools: "[{ name: 'a' }]", call: answers });
    const hanging = await watch.entry({ before: 'setInterval(() => {}, 1000); return;' });
    const { pool, reaches } = await open(context, { hanging, good });
    await reaches('good', 'ready');
    assert.deepEqual(await pool.ready({ within: 1 }), ['hanging']);
    assert.equal(pool.groups[0]?.unavailable?.reason, 'it is still starting');
    await (await toolOf(pool, 'good', 'a')).execute?.({}, { signal });
    await pool.close();
    await watch.allGone();
  },
);

test(
  'promise 55: a tool that is not the one that was listed is not called',
  limited,
  async (context) => {
    const watch = await Watch.begin(context);
    const manifests = manifestFiles({ folder: await folderOf(context) });
    const { manifestOf } = await import('../../src/server/index.ts');
    const entry = await watch.entry({
      tools: "[{ name: 'same' }, { name: 'other', description: 'new' }]",
      call: answers,
    });
    const before: ListedTool[] = [
      { name: 'same' },
      { name: 'other', description: 'old' },
      { name: 'gone' },
    ];
    const listing = { tools: before, duplicates: [], warnings: [] };
    await manifests.save('a', entry, manifestOf(listing, undefined, Date.now()));
    const { pool } = await open(context, { a: entry }, { manifests });
    const [same, other, gone] = await Promise.all(
      ['same', 'other', 'gone'].map((name) => toolOf(pool, 'a', name)),
    );
    await assert.rejects(
      async () => other?.execute?.({}, { signal }),
      /no longer the one .* not called/,
    );
    await assert.rejects(
      async () => gone?.execute?.({}, { signal }),
      /no longer has the tool gone/,
    );
    assert.ok(await same?.execute?.({}, { signal }));
    assert.ok(await (await toolOf(pool, 'a', 'other')).execute?.({}, { signal }));
  },
);

test('a server that is idle stops, and the next call starts it', limited, async (context) => {
  const watch = await Watch.begin(context);
  const entry = await watch.entry({ tools: "[{ name: 'a' }]", call: answers });
  const kept = { ...entry, lifecycle: { keepAlive: true } };
  const { pool, reaches } = await open(
    context,
    { a: entry, kept },
    { manifests: false, idleTime: 1 },
  );
  await pool.ready();
  await reaches('a', 'idle');
  assert.equal(pool.connection('kept')?.state.kind, 'ready');
  await (await toolOf(pool, 'a', 'a')).execute?.({}, { signal });
  await reaches('a', 'idle');
});

test('a watched configuration that is wrong changes nothing', limited, async (context) => {
  const watch = await Watch.begin(context);
  const folder = await folderOf(context);
  const file = join(folder, 'mcp.json');
  await writeFile(file, 'one');
  const entry = await watch.entry({ tools: "[{ name: 'a' }]" });
  const { pool } = await open(context, { a: entry });
  const { promise, resolve } = Promise.withResolvers<void>();
  const { promise: failed, resolve: fail } = Promise.withResolvers<unknown>();
  let isWrong = true;
  const stop = followConfig(pool, {
    files: [file, join(folder, 'absent.json')],
    load: async () => {
      if (isWrong) throw new Error('wrong');
      return { servers: new Map([['b', entry]]), settings };
    },
    onProblem: fail,
    onUpdate: resolve,
  });
  context.after(stop);
  await writeFile(file, 'two');
  assert.match(String(await failed), /wrong/);
  assert.deepEqual(
    pool.servers.map(({ name }) => name),
    ['a'],
  );
  isWrong = false;
  await writeFile(file, 'three');
  await promise;
  assert.deepEqual(
    pool.servers.map(({ name }) => name),
    ['b'],
  );
});
