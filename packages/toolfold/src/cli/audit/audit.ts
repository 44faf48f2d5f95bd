import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { formatCount } from '@toolfold/core/internal/tools/values';
import { auditPrefix, formatRequests } from '@toolfold/testing/internal/testing/audit';
import { Command } from 'commander';
import {
  type CommandContext,
  chooseCounter,
  escapedControls,
  exitCode,
  formatNumber,
  json,
  path,
  type Streams,
  type Terminal,
  unreadable,
} from '../../app/terminal/index.ts';
import { EXPECTED_LINE, readRequests, type UnreadableLine } from './read-requests.ts';

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
    if (file !== '-') return await readFile(file, { encoding: 'utf8', signal });
    return await text(addAbortSignal(signal, streams.stdin));
  } catch (error) {
    throw unreadable(file, error);
  }
}
