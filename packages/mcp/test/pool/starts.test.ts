import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { Transport } from '@modelcontextprotocol/client';
import { startMcpServer } from '@toolfold/testing/internal/doubles/mcp-server.ts';
import type { ServerEntry } from '../../src/config/config.ts';
import type { PoolOptions, ServerPool } from '../../src/pool/contract.ts';
import { createServerPool } from '../../src/pool/pool.ts';
import { type Manifest, manifestOf } from '../../src/server/manifest.ts';

const limited = { timeout: 30_000 };
const TWO_DAYS = 2 * 86_400_000;
const listing = { tools: [{ name: 'a' }], duplicates: [], warnings: [] };

/** A pool of three servers: without a list, with an old one and with a new one. */
async function pool(
  context: TestContext,
  starts: PoolOptions['starts'],
  saved: string[] = [],
): Promise<ServerPool> {
  const entries = new Map<string, ServerEntry>();
  for (const name of ['none', 'old', 'new']) {
    const server = await startMcpServer({ tools: listing.tools });
    context.after(() => server.close());
    entries.set(name, { kind: 'transport', transport: server.transport, secrets: [] });
  }
  const age: Readonly<Record<string, number>> = { old: TWO_DAYS, new: 0 };
  const load = async (name: string): Promise<Manifest | undefined> =>
    name in age ? manifestOf(listing, undefined, Date.now() - (age[name] ?? 0)) : undefined;
  const save = async (name: string): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    saved.push(name);
  };
  const manifests = { load, save };
  const created = await createServerPool(
    { servers: entries, settings: undefined },
    { manifests, ...(starts === undefined ? {} : { starts }) },
  );
  context.after(() => created.close());
  return created;
}

suite('which servers start by themselves', () => {
  const cases: readonly (readonly [PoolOptions['starts'], readonly string[]])[] = [
    ['none', []],
    ['missing', ['none']],
    ['due', ['none', 'old']],
    [undefined, ['none', 'old']],
  ];
  for (const [starts, expected] of cases) {
    test(`${starts}`, limited, async (context) => {
      const created = await pool(context, starts);
      const begun = created.servers.filter(({ state }) => state !== 'idle');
      assert.deepEqual(
        begun.map(({ name }) => name),
        expected,
      );
      assert.deepEqual(await created.ready(), starts === 'none' ? ['none'] : []);
    });
  }
});

test('close waits until lists are kept', limited, async (context) => {
  const saved: string[] = [];
  const created = await pool(context, 'missing', saved);
  await created.ready();
  await created.close();
  assert.deepEqual(saved, ['none']);
});

test('a call hears of its progress', limited, async (context) => {
  const server = await startMcpServer({ tools: listing.tools });
  context.after(() => server.close());
  const transport: Transport = server.transport;
  const created = await createServerPool(
    {
      servers: new Map([['s', { kind: 'transport', transport, secrets: [] }]]),
      settings: undefined,
    },
    { manifests: false },
  );
  context.after(() => created.close());
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    const token = 'params' in message ? message.params?._meta?.progressToken : undefined;
    if (token !== undefined) {
      transport.onmessage?.({
        ...{ jsonrpc: '2.0', method: 'notifications/progress' },
        params: { progressToken: token, progress: 1, total: 2, message: 'half' },
      });
    }
    await send(message, options);
  };
  const heard: unknown[] = [];
  await created
    .connection('s')
    ?.callTool('a', {}, { host: { onProgress: (one) => heard.push(one) } });
  assert.deepEqual(heard, [{ progress: 1, total: 2, message: 'half' }]);
});
