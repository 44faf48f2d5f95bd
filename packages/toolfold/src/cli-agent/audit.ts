import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { readNamed } from '@toolfold/config/internal/files';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import {
  formatCount,
  formatNumber,
  isRecord,
  measureNesting,
  parsedJson,
} from '@toolfold/core/internal/values';
import { auditPrefix, formatRequests } from '@toolfold/testing/internal/audit';
import {
  type RequestFormat,
  requestFormats,
  type UnreadRequest,
} from '@toolfold/testing/internal/wire';
import { Command } from 'commander';
import {
  type CommandContext,
  chooseCounter,
  escapedControls,
  exitCode,
  json,
  path,
  type Streams,
  type Terminal,
  unreadable,
  usageError,
} from '../terminal/index.ts';

/** Most lines that are named when they cannot be read. */
const MAX_NAMED = 10;

const afterHelp = `
Record the requests of an app with recordFetch from @toolfold/testing:
  createAnthropic({ fetch: recordFetch('requests.jsonl') })

Examples:
  toolfold audit requests.jsonl
  toolfold audit - --json < requests.jsonl

Exit codes:
  0  the prefix held
  1  the prefix broke
  2  wrong use, or a file that cannot be read
  3  the prefix held, but some lines could not be read`;

/** `toolfold audit`: exit code 1 if a prefix broke. */
export function auditCommand({ streams, terminal, signal, exitWith }: CommandContext): Command {
  return new Command('audit')
    .description(
      'Finds where the recorded requests of one conversation broke the prompt-cache prefix, and how many tokens that cost.',
    )
    .argument('<file>', 'one request per line: { "provider", "url", "body" }; - reads stdin', path)
    .option('--json', 'print the report as JSON')
    .addHelpText('after', afterHelp)
    .action(async (file: string, options: { json?: true }) => {
      const name = file === '-' ? 'stdin' : file;
      const read = readRequests(name, await contentOf(file, streams, signal));
      noteUnreadable(terminal, name, read.unreadable);
      const counter = await chooseCounter(false);
      const report = auditPrefix(read.requests, { countTokens: counter.count });
      const lineOf = (index: number): number => read.requests[index]?.line ?? 0;
      const text = formatRequests(report, ({ index }) => requestName(index, lineOf(index)));
      const shown = {
        counter: counter.name,
        ...report,
        requests: report.requests.map((request) => ({ ...request, line: lineOf(request.index) })),
        unreadable: read.unreadable,
      };
      terminal.out(
        options.json
          ? json(shown, 2)
          : `${escapedControls(text)}Tokens are counted with the built-in ${counter.name}.\n`,
      );
      const held = read.unreadable.length > 0 ? exitCode.notReady : exitCode.ok;
      exitWith(report.held ? held : exitCode.failed);
    });
}

/** Names the line of a request if it has another number. */
function requestName(index: number, line: number): string {
  const name = `request ${formatNumber(index + 1)}`;
  return line === index + 1 ? name : `${name} (line ${formatNumber(line)})`;
}

function noteUnreadable(terminal: Terminal, name: string, lines: readonly UnreadableLine[]): void {
  if (lines.length === 0) return;
  for (const { line, reason } of lines.slice(0, MAX_NAMED))
    terminal.note(`${name}:${line} is not a recorded request and is not compared: ${reason}.`);
  const more = lines.length - MAX_NAMED;
  if (more > 0) terminal.note(`${formatCount(more, 'more line')} cannot be read.`);
  terminal.note(EXPECTED_LINE);
}

async function contentOf(file: string, streams: Streams, signal: AbortSignal): Promise<string> {
  try {
    if (file !== '-') return await readNamed(file, signal);
    return await text(addAbortSignal(signal, streams.stdin));
  } catch (error) {
    throw unreadable(file, error);
  }
}

/**
 * Most levels of nesting in a body, which contains the schemas of all tools. No provider accepts as
 * many.
 */
const MAX_LEVELS = 1000;

/** A request of the file, and the number of its line. */
type NumberedRequest = Exclude<RequestFormat, { readonly unreadable: string }> & {
  readonly line: number;
};

/** A line that is no recorded request, and why. */
interface UnreadableLine {
  readonly line: number;
  readonly reason: string;
}

/** The requests of a file with one JSON object a line, and the lines that cannot be read. */
interface RequestsRead {
  readonly requests: readonly NumberedRequest[];
  readonly unreadable: readonly UnreadableLine[];
}

/**
 * Reads recorded requests, one a line. Blank lines are skipped. Throws `invalid-option` if no line is a
 * recorded request.
 */
export function readRequests(file: string, content: string): RequestsRead {
  const lines = content
    .split('\n')
    .map((text, index) => ({ text, line: index + 1 }))
    .filter(({ text }) => text.trim() !== '');
  const parsed = lines.map(({ text, line }) => ({ line, ...parseLine(text) }));
  const given = parsed.flatMap((one) => ('request' in one ? [one] : []));
  const formats = requestFormats(given.map(({ request }) => request));
  const read = given.map(({ line }, index) => ({ line, ...formats[index] }));
  const requests = read.filter((one): one is NumberedRequest => 'provider' in one);
  const unreadable = [
    ...parsed.flatMap((one) => ('reason' in one ? [{ line: one.line, reason: one.reason }] : [])),
    ...read.flatMap((one) =>
      'unreadable' in one ? [{ line: one.line, reason: String(one.unreadable) }] : [],
    ),
  ].sort((a, b) => a.line - b.line);
  if (requests.length > 0) return { requests, unreadable };
  const [first] = unreadable;
  if (first === undefined)
    throw usageError(
      `${file} has no requests.`,
      "Record requests: createAnthropic({ fetch: recordFetch('requests.jsonl') }). recordFetch comes from @toolfold/testing.",
    );
  const others = unreadable.length > 1 ? ` No other line of ${file} can be read either.` : '';
  throw usageError(
    `${file}:${first.line} is not a recorded request: ${first.reason}.${others}`,
    EXPECTED_LINE,
  );
}

/** What a line must be. */
const EXPECTED_LINE = `Write one request per line: { "provider", "url", "body" }. "provider" and "url" may be left out if the body has "messages" or "input".`;

function parseLine(line: string): { request: UnreadRequest } | { reason: string } {
  let request: unknown;
  try {
    // Editors on Windows write a byte order mark at the start of a file.
    request = JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch (error) {
    return { reason: `it is not JSON (${errorMessage(error)})` };
  }
  if (!isRecord(request)) return { reason: 'it is not a JSON object' };
  // The body is a text where somebody recorded the arguments of `fetch`.
  const body = typeof request.body === 'string' ? parsedJson(request.body) : request.body;
  if (
    isRecord(body) &&
    measureNesting(body, MAX_LEVELS, Number.POSITIVE_INFINITY).depth > MAX_LEVELS
  ) {
    return { reason: `its "body" is nested more than ${formatNumber(MAX_LEVELS)} levels deep` };
  }
  return { request: { ...request, body } };
}
