import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { queueOfWork } from '../../../tools/values/index.ts';
import { hostMark } from './mark.ts';

/** Number of files that are read before other work gets its turn. */
const BATCH = 25;

/** Maximum rounds, for processes that start others while they are ended. */
const MAX_ROUNDS = 5;

interface Descendant {
  readonly pid: number;
  readonly environment: string;
}

const inOrder = queueOfWork();
let queued: Promise<readonly Descendant[]> | undefined;

/**
 * Ends, by SIGKILL, all processes whose environment holds the mark of a server, also those that left
 * the process group. Only on Linux, where the environments of processes can be read; elsewhere it does
 * nothing. Processes that removed the mark or belong to another user are not found. Does not reject.
 */
export async function endMarked(mark: string): Promise<void> {
  if (process.platform !== 'linux') return;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const descendants = await nextScan();
    const found = descendants.filter(({ environment }) => environment.includes(mark));
    if (found.length === 0) return;
    for (const { pid } of found) kill(pid, mark);
  }
}

/** A scan that has not begun yet. Servers that end together share one. */
function nextScan(): Promise<readonly Descendant[]> {
  queued ??= inOrder(() => {
    queued = undefined;
    return scan();
  });
  return queued;
}

async function scan(): Promise<Descendant[]> {
  const entries = await readdir('/proc').catch(() => []);
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number);
  const found: Descendant[] = [];
  for (const [index, pid] of pids.entries()) {
    if (index % BATCH === 0) await setImmediate();
    const environment = environmentOf(pid);
    if (environment.includes(hostMark)) found.push({ pid, environment });
  }
  return found;
}

/**
 * The environment of a process; empty if it has ended or belongs to another user. Read at once, because
 * Node's pool of threads takes several times the processor time for such small files.
 */
function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}

/**
 * Checks the mark again, because the number may belong to another process since the scan. What remains
 * is a number that is used again between this check and the signal.
 */
function kill(pid: number, mark: string): void {
  if (!environmentOf(pid).includes(mark)) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
