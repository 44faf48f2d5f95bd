import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { queueOfWork } from '@toolfold/core/internal/values';

/** The environment variable that holds the marks. Descendants of a server inherit it. */
const VARIABLE = 'TOOLFOLD_STARTED_BY';

/** The part of a mark that all servers of this process share: 32 hexadecimal digits and a dot. */
export const hostMark: string = `${randomBytes(16).toString('hex')}.`;

let count = 0;

/** A text that only the environments of one server and its descendants hold. */
interface ServerMark {
  /** `<id of this process>.<number of the server>;` */
  readonly text: string;
  /** The variable to set for the server. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Creates the mark of a new server. If this process itself descends from a server of another host, the
 * marks of that server stay in front, so that the other host finds all descendants, too.
 */
export function createServerMark(): ServerMark {
  count += 1;
  const text = `${hostMark}${count};`;
  return { text, environment: { [VARIABLE]: `${process.env[VARIABLE] ?? ''}${text}` } };
}

/** Number of files that are read before other work gets its turn. */
const BATCH = 25;

/** Maximum rounds, for processes that start others while they are ended. */
const MAX_ROUNDS = 5;

/** The environments of processes by their numbers. */
type Environments = ReadonlyMap<number, string>;

const inOrder = queueOfWork();
let queued: Promise<Environments> | undefined;

/**
 * Ends, by SIGKILL, all processes whose environment holds the mark of a server, also those that left
 * the process group. Only on Linux, where the environments of processes can be read; elsewhere it does
 * nothing. Processes that removed the mark or belong to another user are not found. Does not reject.
 */
export async function endMarked(mark: string): Promise<void> {
  if (process.platform !== 'linux') return;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = [...(await nextScan())].filter(([, environment]) => environment.includes(mark));
    if (found.length === 0) return;
    for (const [pid] of found) kill(pid, mark);
  }
}

/** A scan that has not begun yet. Servers that end together share one. */
function nextScan(): Promise<Environments> {
  queued ??= inOrder(() => {
    queued = undefined;
    return scan();
  });
  return queued;
}

async function scan(): Promise<Environments> {
  const entries = await readdir('/proc').catch(() => []);
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number);
  const found = new Map<number, string>();
  for (const [index, pid] of pids.entries()) {
    if (index % BATCH === 0) await setImmediate();
    const environment = environmentOf(pid);
    if (environment.includes(hostMark)) found.set(pid, environment);
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
