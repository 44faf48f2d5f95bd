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
  const told = lines.filter((line, at) => !isNoise(line, lines[at - 1]));
  const last = told.findLastIndex((line) => CAUSE.test(line));
  if (last < 0) return (told.length > 0 ? told : lines).slice(-count);
  // What stands behind the cause may explain it. What stands before may be another part of it.
  const isEnough = told.length - last >= count;
  const from = isEnough ? last : Math.max(0, told.length - count);
  const first = told.slice(from, last).findIndex((line) => CAUSE.test(line));
  return told.slice(first < 0 ? last : from + first).slice(0, count);
}

/** `before`: the line before. The line behind a frame of Python is its source. */
function isNoise(line: string, before = ''): boolean {
  if (/^File ".*", line \d+/.test(before)) return true;
  return (
    NOISE.some((noise) => noise.test(line)) || /^Traceback \(most recent call last\):$/.test(line)
  );
}
