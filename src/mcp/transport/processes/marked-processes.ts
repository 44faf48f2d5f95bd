import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { hostMark } from './mark.ts';

/** Number of files that are read at once, so that Node's pool of threads has some for other work. */
const CONCURRENCY = 2;

/** Maximum rounds, for processes that start others while they are ended. */
const MAX_ROUNDS = 5;

/** A process that a server of this process started, and its environment. */
interface Descendant {
  readonly pid: number;
  readonly environment: string;
}

let last: Promise<unknown> = Promise.resolve();
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
  if (queued === undefined) {
    queued = last.then(() => {
      queued = undefined;
      return scan();
    });
    last = queued;
  }
  return queued;
}

async function scan(): Promise<Descendant[]> {
  const entries = await readdir('/proc').catch(() => []);
  const pids = entries.filter((name) => /^\d+$/.test(name)).values();
  const found: Descendant[] = [];
  const work = async (): Promise<void> => {
    for (const pid of pids) {
      // Fails if the process has ended or belongs to another user.
      const environment = await readFile(pathOf(pid), 'latin1').catch(() => '');
      if (environment.includes(hostMark)) found.push({ pid: Number(pid), environment });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return found;
}

/** Checks the mark again, because the number may belong to another process since the scan. */
function kill(pid: number, mark: string): void {
  try {
    if (readFileSync(pathOf(pid), 'latin1').includes(mark)) process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function pathOf(pid: string | number): string {
  return `/proc/${pid}/environ`;
}
