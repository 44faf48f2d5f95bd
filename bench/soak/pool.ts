/**
 * A pool under load for a long time: servers that crash, change their lists, are stopped when idle and
 * do not answer, and sessions that come and go. Prints a line every ten seconds, and exits with 1 if
 * processes, file descriptors or the heap grow. `npm run soak` runs it beside the soak of the gateway. Only on Linux.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createServerPool, manifestFiles, parseConfig, type ServerSession } from '@toolfold/mcp';
import type { Behaviour } from '../pool-server.ts';
import { problemsOf, type Sample, shown } from './steady.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '600' } } });
const seconds = Number(values.seconds);
const { gc } = globalThis;
if (gc === undefined) throw new Error('Start it with --expose-gc, as npm run soak does.');

const server = join(import.meta.dirname, '../pool-server.ts');
const entry = (behaviour: Behaviour, keys: object = {}): object => ({
  command: process.execPath,
  args: [server, JSON.stringify(behaviour)],
  ...keys,
});
const mcpServers = {
  steady: entry({}),
  large: entry({ tools: 200 }),
  crashing: entry({ crashes: 0.02 }),
  'crashing-often': entry({ crashes: 0.2 }),
  changing: entry({ changes: 0.05 }),
  silent: entry({ silent: 0.02 }, { callSeconds: 1 }),
  idling: entry({}, { idleSeconds: 1 }),
  own: entry({ crashes: 0.01 }, { perSession: true }),
};
const names = Object.keys(mcpServers);
const folder = mkdtempSync(join(tmpdir(), 'toolfold-soak-'));
const config = parseConfig('soak.json', JSON.stringify({ mcpServers }), { env: {} });

const counts = { ok: 0, unknown: 0, failed: 0 };
const begin = performance.now();
const isOver = (): boolean => performance.now() - begin > seconds * 1000;
const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T;

function sample(): Sample {
  gc?.();
  const parentOf = (pid: string): string => {
    try {
      return (
        / (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1] ?? '')?.[1] ?? ''
      );
    } catch {
      return '';
    }
  };
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return {
    processes: pids.filter((pid) => parentOf(pid) === String(process.pid)).length,
    descriptors: readdirSync('/proc/self/fd').length,
    heap: process.memoryUsage().heapUsed,
    resident: process.memoryUsage().rss,
  };
}

async function call(session: ServerSession, name: string): Promise<void> {
  // `idling` is left alone for longer than its time, so that it is stopped and started.
  if (name === 'idling' && Math.random() > 0.05) return;
  try {
    await session.connection(name)?.callTool('work', { text: 'x' });
    counts.ok += 1;
  } catch (error) {
    const isUnknown = /unknown|may or may not/.test(String(error));
    counts[isUnknown ? 'unknown' : 'failed'] += 1;
  }
}

/** Makes calls, one after another, in sessions of random length. */
async function work(): Promise<void> {
  while (!isOver()) {
    const session = pool.session();
    for (let left = 1 + Math.random() * 200; left > 0 && !isOver(); left -= 1) {
      await call(session, pick(names));
      await delay(Math.random() * 100);
    }
    await session.close();
  }
}

const pool = await createServerPool(config, { manifests: manifestFiles({ folder }) });
const samples: Sample[] = [];
const report = (): void => {
  const now = sample();
  samples.push(now);
  const { ok, unknown, failed } = counts;
  console.log(`${shown(begin, now)}, calls: ${ok} ok, ${unknown} unknown, ${failed} failed`);
};
const timer = setInterval(report, Math.min(10_000, seconds * 100));
await Promise.all(Array.from({ length: 8 }, work));
clearInterval(timer);
await pool.close();
await delay(100);
const last = sample();
rmSync(folder, { recursive: true });

const problems = problemsOf(samples);
console.log(`after close: ${last.processes} processes, ${last.descriptors} descriptors`);
// The supervisor stays until this process ends.
if (last.processes > 1) problems.push(`${last.processes} processes are left`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
