import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { isBetween, mayFollow } from './commit-number.ts';
import { commitNumberIn, FILE_HEADER, HEADER, isSqliteFile, PAGE_HEADER } from './log-file.ts';

/** Words of the shared memory that are read: its header, and how much of the log is in the file. */
const SHARED = 34;

/** The files that this process has open by SQLite. */
const OPEN = new Map<string, LiveFiles>();

/**
 * Whether this process has a file open by SQLite. To open and close it beside SQLite would then end the locks of
 * SQLite, because POSIX locks belong to a process (sqlite.org/howtocorrupt.html, 2.2).
 */
export function isOpenHere(file: string): boolean {
  return OPEN.has(identityOf(file));
}

/** The number of a file and that of its file system; empty if there is no such file. */
function identityOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : '';
}

/** The path of a file without links, beside which SQLite keeps the rest. */
export function realOf(file: string): string {
  return file !== '' && existsSync(file) ? realpathSync(file) : file;
}

/** The numbers of a file and of what SQLite keeps beside it in mode WAL. It is asked for before each write. */
export function identitiesOf(file: string, real: string): string {
  const numberOf = (path: string) =>
    statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? 0n;
  return [file, `${real}-wal`, `${real}-shm`].map(numberOf).join();
}

export const OVERWRITTEN = 'the file was overwritten while it was open';

/** The last change of a file that SQLite knows. */
export interface LastChange {
  readonly number: number;
  /** How often the tables themselves, or the places of all rows, were changed. */
  readonly schema: number;
}

/**
 * A file that SQLite has open, with what stands beside it, for all connections of this process. They are read without
 * SQLite, which does not look at them again.
 */
export class LiveFiles {
  readonly #identity: string;
  #connections = 0;
  /** Those of the log, of the shared memory and of the file. */
  readonly #handles: number[] = [];
  readonly #shared: Uint32Array = new Uint32Array(SHARED);
  /** The start of the log, with that of its first page; the head of the last page; the start of the file. */
  readonly #log: Buffer = Buffer.alloc(HEADER + PAGE_HEADER + FILE_HEADER);
  readonly #last: Buffer = Buffer.alloc(PAGE_HEADER);
  readonly #file: Buffer = Buffer.alloc(FILE_HEADER);

  private constructor(identity: string) {
    this.#identity = identity;
  }

  /** Counts one more connection to a file that SQLite has opened. Each database without a file is one of its own. */
  static join(file: string): LiveFiles {
    const identity = identityOf(file);
    const files = OPEN.get(identity) ?? new LiveFiles(identity);
    if (identity !== '') OPEN.set(identity, files);
    files.#connections += 1;
    return files;
  }

  /** Counts one connection less, which SQLite has closed. */
  leave(): void {
    this.#connections -= 1;
    if (this.#connections > 0) return;
    OPEN.delete(this.#identity);
    for (const handle of this.#handles) closeSync(handle);
  }

  /** Opens what `overwritten` reads, in mode WAL. Windows promises nothing to who reads a file that is used as memory. */
  hold(file: string): void {
    const ends = process.platform === 'win32' ? [] : ['-wal', '-shm', ''];
    // What is open stays so if another one fails: to close it would end the locks on it.
    for (const end of ends.slice(this.#handles.length))
      this.#handles.push(openSync(file + end, 'r'));
  }

  /**
   * What another program has overwritten, while SQLite goes on with what it knows; undefined if the files are as SQLite
   * has left them, in any process. The answer is certain only while nobody else can change the log.
   */
  overwritten(lastChange: () => LastChange): string | undefined {
    if (this.#handles.length < 3) return;
    const last = lastChange();
    const found = this.#look(last);
    // Another process may begin to write the log into the file meanwhile. The second look knows of it.
    return found === undefined ? undefined : this.#look(last);
  }

  #look({ number, schema }: LastChange): string | undefined {
    const [log = 0, memory = 0, file = 0] = this.#handles;
    readSync(memory, this.#shared, 0, SHARED * 4, 0);
    const shared = this.#shared;
    const pageSize = new Uint16Array(shared.buffer)[7] ?? 0;
    /** How many pages the log has, and how many the file. How many of the log are in the file, and were to be. */
    const [frames = 0, pages = 0, done = 0, tried = 0] = [4, 5, 24, 32].map((at) => shared[at]);
    // A page of the largest size has a number of its own.
    const page = pageSize === 1 ? 2 ** 16 : pageSize;
    const end = HEADER + (frames - 1) * (PAGE_HEADER + page);
    const isLog =
      frames === 0 ||
      (isRead(log, this.#log, 0) &&
        isRead(log, this.#last, end) &&
        this.#log.subarray(16, 24).equals(new Uint8Array(shared.buffer, 32, 8)) &&
        this.#last.readUInt32BE(16) === shared[6] &&
        this.#last.readUInt32BE(20) === shared[7]);
    if (!isLog) return 'the log beside it was overwritten while the file was open';
    const isFile =
      isRead(file, this.#file, 0) &&
      isSqliteFile(this.#file) &&
      // A copy that SQLite has written anew counts one more.
      this.#file.readUInt32BE(40) <= schema &&
      (done === frames
        ? commitNumberIn(this.#file) === number
        : this.#isBefore(number, tried > 0)) &&
      // While the log is written into it, its end may be missing.
      (tried > done || fstatSync(file).size >= Math.min(this.#file.readUInt32BE(28), pages) * page);
    return isFile ? undefined : OVERWRITTEN;
  }

  /** Whether the file is that before the log, or, where it is being written into the file, one of the log. */
  #isBefore(number: number, isWritten: boolean): boolean {
    // Only a change with many pages begins with another one than the first.
    if (this.#log.readUInt32BE(HEADER) !== 1) return true;
    const first = commitNumberIn(this.#log.subarray(HEADER + PAGE_HEADER));
    const own = commitNumberIn(this.#file);
    return mayFollow(own, first) || (isWritten && isBetween(first, own, number));
  }
}

/** Whether a buffer could be filled. */
function isRead(handle: number, buffer: Buffer, at: number): boolean {
  return readSync(handle, buffer, 0, buffer.length, at) === buffer.length;
}
