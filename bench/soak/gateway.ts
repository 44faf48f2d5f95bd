/**
 * `toolfold serve` under load for a long time: clients of both revisions over HTTP come and go, servers
 * crash, change, ask, hang and are stopped when idle, the configuration changes while calls run, and
 * gateways on stdio are killed. Prints a line every ten seconds, and exits with 1 if processes, file
 * descriptors or the heap of the gateway grow. `npm run soak` runs it. Only on Linux.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  type ClientOptions,
  HttpClient,
} from '../../packages/mcp/test/gateway/raw-client.test-support.ts';
import { LineClient } from '../gateway/line-client.ts';
import type { Behaviour } from '../pool-server.ts';
import { problemsOf, type Sample, shown } from './steady.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '600' } } });
const seconds = Number(values.seconds);
const folder = mkdtempSync(join(tmpdir(), 'toolfold-soak-'));
const file = join(folder, 'mcp.json');
const env = { ...process.env, XDG_CACHE_HOME: folder, XDG_DATA_HOME: folder };
const server = join(import.meta.dirname, '../pool-server.ts');
const bin = join(import.meta.dirname, '../../bin/toolfold.js');

// The folder marks the processes of this run: it is an argument of each.
const entry = (behaviour: Behaviour, keys: object = {}): object => ({
  command: process.execPath,
  args: [server, JSON.stringify(behaviour), folder],
  ...keys,
});
const STEADY = {
  steady: entry({}),
  large: entry({ tools: 200 }),
  crashing: entry({ crashes: 0.02 }),
  changing: entry({ changes: 0.05 }),
  silent: entry({ silent: 0.02 }, { callSeconds: 1 }),
  idling: entry({}, { idleSeconds: 1 }),
  own: entry({ crashes: 0.01 }, { perSession: true }),
  asking: entry({ asks: 0.3 }),
};
const names = [...Object.keys(STEADY), 'coming', 'none'];

/** Writes the configuration: `coming` is there or not, and `changed` has another entry each time. */
function configure(turn: number): void {
  const mcpServers = {
    ...STEADY,
    changed: entry({ tools: turn % 7 }),
    ...(turn % 2 === 0 && { coming: entry({}) }),
  };
  writeFileSync(`${file}.new`, JSON.stringify({ mcpServers }));
  renameSync(`${file}.new`, file);
}

const counts = { answered: 0, failed: 0, refused: 0, sessions: 0, killed: 0 };
const begin = performance.now();
const isOver = (): boolean => performance.now() - begin > seconds * 1000;
const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T;

async function startGateway(): Promise<{ child: ChildProcess; url: string }> {
  const report = join(import.meta.dirname, 'heap-report.ts');
  const flags = ['--expose-gc', '--import', report];
  const child = spawn(process.execPath, [...flags, bin, 'serve', '--config', file, '--http', '0'], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    env,
  });
  const { promise, resolve } = Promise.withResolvers<string>();
  createInterface({ input: child.stderr as NonNullable<typeof child.stderr> }).on(
    'line',
    (line) => {
      const url = /Listening on (\S+)/.exec(line)?.[1];
      if (url) resolve(url);
    },
  );
  return { child, url: await promise };
}

/** The processes of this run: those with its folder among their arguments. */
function processes(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
      } catch {
        return false;
      }
    })
    .map(Number);
}

async function sample({ child }: { readonly child: ChildProcess }): Promise<Sample> {
  child.send('report');
  const [memory] = await once(child, 'message');
  const descriptors = readdirSync(`/proc/${child.pid}/fd`).length;
  return { processes: processes().length, descriptors, ...memory };
}

const CAPABILITIES: readonly object[] = [
  {},
  { elicitation: {} },
  { elicitation: {}, sampling: {} },
  { roots: {}, elicitation: {} },
];

function clientOptions(): ClientOptions {
  return {
    era: pick(['legacy', 'modern'] as const),
    capabilities: pick(CAPABILITIES) as Record<string, unknown>,
    answer: (method) =>
      method === 'roots/list'
        ? { roots: [{ uri: `file:///${pick(['one', 'two', 'three'])}` }] }
        : { action: 'accept', content: {} },
  };
}

/** One client after another: each lists, calls, answers questions, and leaves. */
async function work(url: string): Promise<void> {
  while (!isOver()) {
    const client = new HttpClient(url, clientOptions());
    counts.sessions += 1;
    await client.begin();
    if (client.options.era === 'modern')
      client.start('subscriptions/listen', { notifications: { toolsListChanged: true } });
    await client.request('tools/list');
    for (let left = 1 + Math.random() * 100; left > 0 && !isOver(); left -= 1) {
      const name = `${pick(names)}__work`;
      const params = { name: 'tool_call', arguments: { name, arguments: { text: 'x' } } };
      const { result, error } = await client.complete('tools/call', params);
      counts[error ? 'refused' : result?.isError ? 'failed' : 'answered'] += 1;
      await delay(Math.random() * 100);
    }
    await client.close();
  }
}

/** Gateways on stdio, which are killed or lose their client while a call runs. */
async function kill(): Promise<void> {
  while (!isOver()) {
    const flags = [bin, 'serve', '--config', file];
    const client = new LineClient([process.execPath, ...flags], env);
    await client.begin();
    await client.request('tools/call', { name: 'steady__work', arguments: {} });
    void client.request('tools/call', { name: 'silent__work', arguments: {} });
    await delay(1000);
    if (Math.random() < 0.5) await client.close();
    else {
      client.child.kill('SIGKILL');
      await once(client.child, 'exit');
    }
    counts.killed += 1;
    await delay(10_000);
  }
}

async function edit(): Promise<void> {
  for (let turn = 1; !isOver(); turn++) {
    await delay(7000);
    configure(turn);
  }
}

configure(0);
const gateway = await startGateway();
const samples: Sample[] = [];
const report = async (): Promise<void> => {
  while (!isOver()) {
    await delay(Math.min(10_000, seconds * 100));
    const now = await sample(gateway);
    samples.push(now);
    const { answered, failed, refused, sessions, killed } = counts;
    console.log(
      `${shown(begin, now)}, ${sessions} clients, calls: ${answered} answered, ${failed} failed, ${refused} refused, ${killed} gateways on stdio ended`,
    );
  }
};
await Promise.all([
  ...Array.from({ length: 8 }, () => work(gateway.url)),
  kill(),
  edit(),
  report(),
]);
gateway.child.kill('SIGTERM');
await once(gateway.child, 'exit');
await delay(1000);
const problems = problemsOf(samples);
const left = processes();
console.log(`after the end: ${left.length} processes`);
if (left.length > 0) problems.push(`${left.length} processes are left: ${left.join(' ')}`);
rmSync(folder, { recursive: true });
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);
