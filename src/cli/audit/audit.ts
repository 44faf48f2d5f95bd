import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { errorMessage, ToolfoldError } from '../../errors.ts';
import { auditPrefix, formatAuditReport, type RecordedCall } from '../../testing/index.ts';
import { wireProviderOf } from '../../testing/wire/index.ts';
import { isRecord, weigh } from '../../tools/values/index.ts';
import {
  type CommandContext,
  chooseCounter,
  exitCode,
  figure,
  path,
  type Streams,
  unreadable,
} from '../terminal/index.ts';

/**
 * Most levels of nesting in a body, which contains the schemas of all tools. No provider accepts as
 * many.
 */
const MAX_LEVELS = 1000;

const providers = ['anthropic', 'openai-responses', 'openai-chat'] as const;

const afterHelp = `
Record the requests of an app with recordFetch from toolfold/testing:
  createAnthropic({ fetch: recordFetch('requests.jsonl') })

Examples:
  toolfold audit requests.jsonl
  toolfold audit - --json < requests.jsonl

Exit codes:
  0  the prefix held
  1  the prefix broke
  2  wrong use, or a file that cannot be read`;

/** `toolfold audit`: exit code 1 if a prefix broke. */
export function auditCommand({ streams, terminal, signal, exitWith }: CommandContext): Command {
  return new Command('audit')
    .summary('find where recorded requests broke the prompt-cache prefix')
    .description(
      'Finds where the recorded requests of one conversation broke the prompt-cache prefix, and how many tokens that cost.',
    )
    .argument('<file>', 'one request per line: { "url", "body" }; - reads stdin', path)
    .option('--json', 'print the report as JSON')
    .addHelpText('after', afterHelp)
    .action(async (file: string, options: { json?: true }) => {
      const requests = parseLines(file, await read(file, streams, signal));
      const counter = await chooseCounter(false);
      const report = auditPrefix(requests, { countTokens: counter.count });
      terminal.out(
        options.json
          ? `${JSON.stringify({ counter: counter.name, ...report }, null, 2)}\n`
          : `${formatAuditReport(report)}Tokens are counted with the built-in ${counter.name}.\n`,
      );
      exitWith(report.held ? exitCode.ok : exitCode.failed);
    });
}

async function read(file: string, streams: Streams, signal: AbortSignal): Promise<string> {
  try {
    if (file !== '-') return await readFile(file, { encoding: 'utf8', signal });
    return await text(addAbortSignal(signal, streams.stdin));
  } catch (error) {
    throw unreadable(file, error);
  }
}

function parseLines(file: string, content: string): RecordedCall[] {
  const lines = content.split('\n').map((line, index) => ({ line, number: index + 1 }));
  const requests = lines
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => parseLine(`${file}:${number}`, line));
  if (requests.length > 0) return requests;
  throw new ToolfoldError(
    'invalid-option',
    `${file} has no requests.`,
    "Record requests: createAnthropic({ fetch: recordFetch('requests.jsonl') }). recordFetch comes from toolfold/testing.",
  );
}

function parseLine(where: string, line: string): RecordedCall {
  let request: unknown;
  try {
    // Editors on Windows write a byte order mark at the start of a file.
    request = JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw wrongLine(where, errorMessage(error), error);
  }
  if (!isRecord(request) || !isRecord(request.body)) throw wrongLine(where, 'it has no "body"');
  if (weigh(request.body, MAX_LEVELS, Number.POSITIVE_INFINITY).depth > MAX_LEVELS) {
    throw wrongLine(where, `its "body" is nested more than ${figure(MAX_LEVELS)} levels deep`);
  }
  const { url = '' } = request;
  if (typeof url !== 'string') throw wrongLine(where, 'its "url" is not a string');
  const provider =
    request.provider === undefined
      ? wireProviderOf(url, request.body)
      : providers.find((known) => known === request.provider);
  if (provider === undefined) {
    const field = request.provider === undefined ? '"url"' : '"provider"';
    throw wrongLine(where, `the format cannot be determined from its ${field}`);
  }
  return { provider, url, body: request.body };
}

function wrongLine(where: string, reason: string, cause?: unknown): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    `${where} is not a recorded request: ${reason}.`,
    `Expected { "url", "body" }. If the url does not end with /messages, /responses or /chat/completions, add "provider": ${providers.join(' | ')}.`,
    cause,
  );
}
