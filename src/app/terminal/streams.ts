import type { Readable, Writable } from 'node:stream';

/** A stream that may be a terminal. */
interface MaybeTerminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** What a command reads from and writes to: the streams of the process, or those of a test. */
export interface Streams {
  readonly stdin: Readable & MaybeTerminal;
  readonly stdout: Writable & MaybeTerminal;
  readonly stderr: Writable & MaybeTerminal;
}
