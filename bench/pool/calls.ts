/**
 * Measures a call through the pool beside the SDK's own client, in turns: `npm run bench:pool -- --calls`.
 * The servers are other processes, so the processor time is that of the client alone.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createServerPool, parseConfig } from '@toolfold/mcp';
import { median } from './figures.ts';

/** Calls of one turn. Each way has `TURNS` turns, after two that do not count. */
const CALLS = 1000;
const TURNS = 12;
const WARM_UP = 2;

interface Way {
  readonly call: (input: Record<string, unknown>) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** Milliseconds of the middle call, and processor microseconds of a call. */
interface Figures {
  readonly p50: number;
  readonly cpu: number;
}

type Transport = StdioClientTransport | StreamableHTTPClientTransport;

async function bare(transport: Transport): Promise<Way> {
  const mode = transport instanceof StreamableHTTPClientTransport ? 'auto' : 'legacy';
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  await client.listTools();
  return {
    call: (input) => client.callTool({ name: 'work', arguments: input }),
    close: () => client.close(),
  };
}

async function pooled(entry: object, folder: string): Promise<Way> {
  const text = JSON.stringify({ mcpServers: { bench: entry } });
  const pool = await createServerPool(parseConfig('bench.json', text, { env: {} }), {
    manifests: false,
    logins: { folder },
  });
  await pool.ready();
  const { signal } = new AbortController();
  const [tool] = (await pool.groups[0]?.loader({ signal })) ?? [];
  if (tool?.execute === undefined) throw new Error('The server lists no tool.');
  const { execute } = tool;
  return { call: async (input) => execute(input, {}), close: () => pool.close() };
}

async function turn({ call }: Way): Promise<Figures> {
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let n = 0; n < CALLS; n += 1) {
    const begin = performance.now();
    await call({ n });
    times.push(performance.now() - begin);
  }
  const { user, system } = process.cpuUsage(before);
  return { p50: median(times), cpu: (user + system) / CALLS };
}

async function compare(name: string, sdk: Way, pool: Way): Promise<void> {
  const figures: Readonly<Record<'sdk' | 'pool', Figures[]>> = { sdk: [], pool: [] };
  for (let n = 0; n < WARM_UP + TURNS; n += 1) {
    // Who begins changes, so that neither always has the warmer machine.
    const order = n % 2 === 0 ? (['sdk', 'pool'] as const) : (['pool', 'sdk'] as const);
    for (const way of order) {
      const one = await turn(way === 'sdk' ? sdk : pool);
      if (n >= WARM_UP) figures[way].push(one);
    }
  }
  await Promise.all([sdk.close(), pool.close()]);
  const of = (way: 'sdk' | 'pool', key: keyof Figures): number =>
    median(figures[way].map((one) => one[key]));
  const more = (key: keyof Figures): string =>
    `${((of('pool', key) / of('sdk', key) - 1) * 100).toFixed(0)} %`.padStart(6);
  const p50 = `${of('sdk', 'p50').toFixed(3)} ${of('pool', 'p50').toFixed(3)} ms${more('p50')}`;
  const cpu = `${of('sdk', 'cpu').toFixed(0)} ${of('pool', 'cpu').toFixed(0)} µs${more('cpu')}`;
  console.log(`  ${name.padEnd(26)}p50 ${p50}   processor ${cpu}`);
}

async function ofHttp(revision: string, form: 'json' | 'events', folder: string): Promise<void> {
  const server = join(import.meta.dirname, 'web-server.ts');
  const child = spawn(process.execPath, [server, revision, form], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(createInterface({ input: child.stdout }), 'line');
  const url = `http://127.0.0.1:${port}/mcp`;
  const sdk = await bare(new StreamableHTTPClientTransport(new URL(url)));
  await compare(`HTTP, ${revision}, ${form}`, sdk, await pooled({ url }, folder));
  child.kill();
}

/** Prints a row for each transport: the SDK's client, the pool, and how much more the pool takes. */
export async function measureCalls(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolfold-bench-'));
  const server = join(import.meta.dirname, '..', 'pool-server.ts');
  const entry = { command: process.execPath, args: [server, '{}'] };
  console.log(`A call through the pool beside the SDK's client (${TURNS} turns of ${CALLS} calls)`);
  await compare('stdio', await bare(new StdioClientTransport(entry)), await pooled(entry, folder));
  for (const revision of ['2025-11-25', '2026-07-28']) {
    for (const form of ['json', 'events'] as const) await ofHttp(revision, form, folder);
  }
  rmSync(folder, { recursive: true });
}
