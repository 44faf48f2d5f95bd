import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { errorMessage, ToolfoldError } from '../../errors.ts';
import { auditPrefix, formatAuditReport, type RecordedRequest } from '../../testing/index.ts';
import { isRecord, weigh } from '../../tools/values/index.ts';
import { type CommandContext, chooseCounter, exitCode, path } from '../terminal/index.ts';

type AuditedLine = Pick<RecordedRequest, 'provider' | 'url' | 'body'>;

/** Levels of a body, which has the schemas of all tools in it; no provider takes as many. */
const MAX_LEVELS = 1000;

const providers = ['anthropic', 'openai-responses', 'openai-chat'] as const;

/** `toolfold audit`: exit code 1 where a prefix broke. */
export function auditCommand({ terminal, signal, exitWith }: CommandContext): Command {
  return new Command('audit')
    .description('say where recorded requests broke the prompt-cache prefix')
    .argument('<file>', 'one request a line: { "provider", "url", "body" }; - reads stdin', path)
    .option('--json', 'print the report as JSON')
    .action(async (file: string, options: { json?: true }) => {
      const requests = parseLines(file, await read(file, signal));
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

async function read(file: string, signal: AbortSignal): Promise<string> {
  try {
    if (file !== '-') return await readFile(file, { encoding: 'utf8', signal });
    return await text(addAbortSignal(signal, process.stdin));
  } catch (error) {
    throw new ToolfoldError(
      'invalid-option',
      `${file} cannot be read: ${errorMessage(error)}.`,
      'Check the path.',
      error,
    );
  }
}

function parseLines(file: string, content: string): AuditedLine[] {
  const lines = content.split('\n').map((line, index) => ({ line, number: index + 1 }));
  const requests = lines
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => parseLine(`${file}:${number}`, line));
  if (requests.length > 0) return requests;
  throw new ToolfoldError(
    'invalid-option',
    `${file} has no requests.`,
    'Record some, one JSON object a line.',
  );
}

function parseLine(where: string, line: string): AuditedLine {
  let request: unknown;
  try {
    // Editors on Windows begin a file with this mark.
    request = JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw unreadable(where, errorMessage(error), error);
  }
  if (!isRecord(request) || !isRecord(request.body)) throw unreadable(where, 'it has no "body"');
  if (weigh(request.body, MAX_LEVELS, Number.POSITIVE_INFINITY).depth > MAX_LEVELS) {
    throw unreadable(where, `its "body" is nested more than ${MAX_LEVELS} levels deep`);
  }
  const provider = providers.find((known) => known === request.provider);
  if (provider === undefined) throw unreadable(where, `its "provider" is not one of the known`);
  const { url = '' } = request;
  if (typeof url !== 'string') throw unreadable(where, 'its "url" is no text');
  return { provider, url, body: request.body };
}

function unreadable(where: string, why: string, cause?: unknown): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    `${where} is not a recorded request: ${why}.`,
    `Expected { "provider": ${providers.join(' | ')}, "url", "body" }.`,
    cause,
  );
}
