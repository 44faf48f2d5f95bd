/**
 * Measures the pool: what a server that hangs costs the others, how fast a cached catalog is ready, and
 * how long `toolfold run` takes to its first request with cached lists. Run: `npm run bench:pool`.
 * The last part measures the built package if `npm run build` was run before. `-- --calls` measures calls
 * through the pool beside the SDK's own client instead.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServerPool, manifestFiles, type PoolOptions, parseConfig } from '@toolfold/mcp';
import { measureCalls } from './pool/calls.ts';
import { median, show } from './pool/figures.ts';
import { measureFirstRequest } from './pool/first-request.ts';
import type { Behaviour } from './pool-server.ts';

const server = join(import.meta.dirname, 'pool-server.ts');
const entry = (behaviour: Behaviour): object => ({
  command: process.execPath,
  args: [server, JSON.stringify(behaviour)],
});

/** A configuration with this many servers, and one that hangs. */
function configWith(count: number, hangs: boolean): ReturnType<typeof parseConfig> {
  const names = Array.from({ length: count }, (_, n) => `server${n}`);
  const healthy = names.map((name) => [name, entry({ tools: 20 })]);
  const mcpServers = Object.fromEntries(
    hangs ? [['hanging', entry({ hangs })], ...healthy] : healthy,
  );
  return parseConfig('bench.json', JSON.stringify({ mcpServers }), { env: {} });
}

/** Milliseconds from the configuration to the answer of the last server, without cached lists. */
async function firstCall(hangs: boolean): Promise<number> {
  const begin = performance.now();
  const pool = await createServerPool(configWith(9, hangs), { manifests: false });
  await pool.connection('server8')?.callTool('work', {});
  const time = performance.now() - begin;
  await pool.close();
  return time;
}

async function ofHangingServer(runs: number): Promise<void> {
  const alone: number[] = [];
  const beside: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    alone.push(await firstCall(false));
    beside.push(await firstCall(true));
  }
  const ratio = median(beside) / median(alone) - 1;
  console.log(`Nine servers without cached lists, and a tenth that hangs (${runs} runs each)`);
  show('first call of the ninth, nine servers', median(alone));
  show('first call of the ninth, one more hangs', median(beside));
  console.log(
    `  delay ${(ratio * 100).toFixed(1)} %, target 10 %: ${ratio < 0.1 ? 'inside' : 'MISSED'}`,
  );
}

/** Milliseconds until all servers but the one that hangs have listed their tools. */
async function coldStart(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let ready = 0;
  const onEvent: PoolOptions['onEvent'] = (event) => {
    if (event.kind === 'state' && event.to.kind === 'ready' && ++ready === 59) resolve();
  };
  const begin = performance.now();
  const pool = await createServerPool(configWith(59, true), { manifests: false, onEvent });
  await promise;
  const time = performance.now() - begin;
  await pool.close();
  return time;
}

async function ofColdStart(runs: number): Promise<void> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) times.push(await coldStart());
  console.log(`Sixty servers without cached lists, of which one hangs (${runs} runs)`);
  show('the other 59 have listed their tools', median(times));
}

async function ofCachedCatalog(runs: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolfold-bench-'));
  const config = configWith(59, true);
  const manifests = manifestFiles({ folder });
  // The hanging server has listed its tools in an earlier run.
  const healthy = await createServerPool(configWith(1, false), { manifests: false });
  await healthy.ready();
  const manifest = healthy.connections[0]?.manifest;
  await healthy.close();
  if (manifest === undefined) throw new Error('The server did not list its tools.');
  for (const [name, one] of config.servers) await manifests.save(name, one, manifest);
  const times: number[] = [];
  const processor: number[] = [];
  let started = 0;
  const onEvent: PoolOptions['onEvent'] = (event) => {
    if (event.kind === 'state' && event.to.kind === 'connecting') started += 1;
  };
  for (let run = 0; run < runs; run += 1) {
    const begin = performance.now();
    const before = process.cpuUsage();
    const pool = await createServerPool(config, { manifests, onEvent });
    const groups = await Promise.all(pool.groups.map((group) => group.toolNames));
    times.push(performance.now() - begin);
    const { user, system } = process.cpuUsage(before);
    processor.push((user + system) / 1000);
    if (groups.length !== 60) throw new Error(`There are ${groups.length} groups.`);
    await pool.close();
  }
  rmSync(folder, { recursive: true });
  console.log(`Sixty servers with cached lists of 22 tools, of which one hangs (${runs} runs)`);
  show('the catalog is ready, first time', times[0] ?? 0, 100);
  show('the catalog is ready, median', median(times), 100);
  show('processor time of it, first time', processor[0] ?? 0);
  show('processor time of it, median', median(processor));
  console.log(`  ${started} processes started, target 0`);
}

if (process.argv.includes('--calls')) await measureCalls();
else {
  await ofHangingServer(5);
  await ofColdStart(3);
  await ofCachedCatalog(20);
  await measureFirstRequest(8);
}
