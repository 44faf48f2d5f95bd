import { truncate } from '@toolfold/core/internal/values';
import { redact, stripControls } from '../redact.ts';

const KEPT = 16 * 1024;

/** Keeps the end of a text stream, in bounded memory. */
export class TextTail {
  #pieces: Buffer[] = [];
  #size = 0;
  #wasCut = false;

  add(chunk: Buffer | string): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    // Copied, because a subarray would keep the larger buffer alive.
    this.#pieces.push(Buffer.from(bytes.subarray(-KEPT)));
    this.#size += Math.min(bytes.length, KEPT);
    this.#wasCut ||= bytes.length > KEPT || this.#size > KEPT;
    // Shortens only at four times the limit, to avoid a copy for each line.
    if (this.#size > 4 * KEPT) this.#shorten();
  }

  #shorten(): Buffer {
    const kept = Buffer.from(Buffer.concat(this.#pieces).subarray(-KEPT));
    this.#pieces = [kept];
    this.#size = kept.length;
    return kept;
  }

  /** The last `count` lines, without secrets and control characters, each at most 200 characters. */
  lastLines(count: number, secrets: readonly string[]): string[] {
    return this.#lines(secrets).slice(-count).map(shortened);
  }

  /** At most `count` lines that say why a program has ended, in the same form. */
  causeLines(count: number, secrets: readonly string[]): string[] {
    return causeLines(this.#lines(secrets), count).map(shortened);
  }

  #lines(secrets: readonly string[]): string[] {
    const text = redact(stripControls(this.#shorten().toString('utf8')), secrets);
    // The first line may be incomplete, so a secret in it could not be recognized.
    const lines = text.split('\n').slice(this.#wasCut ? 1 : 0);
    return lines.map((line) => line.trim()).filter((line) => line !== '');
  }
}

function shortened(line: string): string {
  return truncate(line, 200);
}

/** Lines of a report that say where and not why: frames of stacks, carets, versions, paths of logs. */
const NOISE: readonly RegExp[] = [
  /^at /,
  /^File ".*", line \d+/,
  /^\^[\^~]*$|^[~^]+$/,
  /^[{}[\]();,]+$/,
  /^Node\.js v\d/,
  /^node:internal\//,
  /^throw \w+;?$/,
  /^(?:code|errno|syscall|path|requireStack|stack): .*,?$/,
  /^\.\.\. \d+ (?:more|lines matching)/,
  /^[\w./*]+\.\w+\((?:\.\.\.|0x[^)]*)?\)$/,
  /^goroutine \d+ |^\S+\.go:\d+|^exit status \d+$/,
  /^stack backtrace:$|^\d+: \S+::\S+|^note: run with `RUST_BACKTRACE/,
  /^npm (?:error|ERR!)(?: code \S+| A complete log of this run.*|\s*| .*\.log)$/,
  /^\[?\w+\]? For more (?:details|information)\b/i,
];

/** A line that names a cause: `Error: …`, `ValueError: …`, `panic: …`, `npm error 404 …`, `sh: 1: x: not found`. */
const CAUSE =
  /^(?:Uncaught |Caused by: |npm |thread '[^']*' )?(?:[\w.]*(?:Error|Exception|Exit)\b(?: \[\w+\])?(?:: |$)|error\b|err!|fatal\b|panic\b|panicked\b)|\b(?:not found|no such file|cannot find|permission denied|is not recognized|is required|missing|invalid|unknown option|failed to|unable to|EADDRINUSE|ECONNREFUSED)\b/i;

/**
 * Up to `count` lines of an output, those that say why it ended: from the last line that names a cause, without frames of
 * a stack. Without such a line, the last ones. `lines` are trimmed, and none is empty.
 */
export function causeLines(lines: readonly string[], count: number): string[] {
  const withoutNoise = lines.filter((line, at) => !isNoise(line, lines[at - 1]));
  const last = withoutNoise.findLastIndex((line) => CAUSE.test(line));
  if (last < 0) return (withoutNoise.length > 0 ? withoutNoise : lines).slice(-count);
  // What stands behind the cause may explain it. What stands before may be another part of it.
  const isEnough = withoutNoise.length - last >= count;
  const from = isEnough ? last : Math.max(0, withoutNoise.length - count);
  const first = withoutNoise.slice(from, last).findIndex((line) => CAUSE.test(line));
  return withoutNoise.slice(first < 0 ? last : from + first).slice(0, count);
}

/** `before`: the line before. The line behind a frame of Python is its source. */
function isNoise(line: string, before = ''): boolean {
  if (/^File ".*", line \d+/.test(before)) return true;
  return (
    NOISE.some((noise) => noise.test(line)) || /^Traceback \(most recent call last\):$/.test(line)
  );
}
