import { isDeepStrictEqual } from 'node:util';
import {
  formatCount,
  isRecord,
  ownProperty,
  parsedJson,
} from '@toolfold/core/internal/tools/values';
import { stripControls } from '@toolfold/mcp/internal/mcp/controls';
import { type CommandContext, exitCode, json, oneLine } from '../../app/terminal/index.ts';
import { type Part, partsOf } from './parts.ts';
import { saveData } from './save-data.ts';
import { writeWhole } from './write-whole.ts';

/** Maximum characters of a server's text in one line on stderr. */
const MAX_LINE = 300;

export interface ResultOptions {
  /** The tool's canonical name: files are named after it. */
  readonly name: string;
  readonly out: string;
  readonly json?: boolean;
}

/**
 * Prints a result. stdout gets the text, else the structured content, else the paths of files. An error
 * goes to stderr, with exit code 1.
 */
export async function printResult(
  result: unknown,
  options: ResultOptions,
  context: CommandContext,
): Promise<void> {
  const { terminal, exitWith } = context;
  const isError = ownProperty(result, 'isError') === true;
  // Set before the output, because a reader that stops early ends the command.
  exitWith(isError ? exitCode.failed : exitCode.ok);
  if (options.json) {
    await write(json(result ?? null), context);
    return;
  }
  if (!isRecord(result)) {
    terminal.note('toolfold: The answer of the server is not a result of a tool.');
    exitWith(exitCode.failed);
    return;
  }
  const parts = partsOf(ownProperty(result, 'content'));
  for (const part of parts) {
    if (part.kind !== 'unknown') continue;
    const type = JSON.stringify(oneLine(part.type, MAX_LINE));
    terminal.note(`The result has content of the unknown type ${type}, which --json shows.`);
  }
  const files = await save(parts, options, context);
  const structured = ownProperty(result, 'structuredContent');
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  if (isError) {
    const other = structured === undefined ? 'no reason' : json(structured, 2);
    const text = texts.length > 0 ? texts.join('\n') : other;
    terminal.note(`${options.name} answered with an error: ${text.trimEnd()}`);
    return;
  }
  if (texts.length > 0) {
    await write(joined(texts), context);
    if (isMore(structured, texts)) terminal.note('--json shows the data beside this text.');
  } else if (structured !== undefined) await write(json(structured, 2), context);
  else if (files.length > 0) await write(`${files.join('\n')}\n`, context);
  else if (parts.length === 0) terminal.note('The result is empty.');
}

/** Whether the structured content says something that no text does. Servers should repeat it as text. */
function isMore(structured: unknown, texts: readonly string[]): boolean {
  const values = isRecord(structured) ? Object.values(structured) : [];
  const isSaid = (value: unknown): boolean => texts.some((text) => text.includes(String(value)));
  const isPlain = values.every((value) => typeof value !== 'object' || value === null);
  if (isPlain && values.every(isSaid)) return false;
  return !texts.some((text) => isDeepStrictEqual(parsedJson(text), structured));
}

async function save(
  parts: readonly Part[],
  { name, out }: ResultOptions,
  { terminal, exitWith }: CommandContext,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const part of parts) {
    if (part.kind !== 'data') continue;
    const { what, mediaType } = part;
    const file = await saveData(part, out, name);
    if (file === undefined) {
      terminal.note(`toolfold: The ${what} of the result is not base64 and was not saved.`);
      exitWith(exitCode.failed);
      continue;
    }
    const type = mediaType === undefined ? '' : `, ${oneLine(mediaType, MAX_LINE)}`;
    terminal.note(`Saved ${file.path} (${what}${type}, ${formatCount(file.bytes, 'byte')})`);
    paths.push(file.path);
  }
  return paths;
}

function joined(texts: readonly string[]): string {
  return texts.reduce(
    (all, text) => `${all}${all.endsWith('\n') || all === '' ? '' : '\n'}${text}`,
    '',
  );
}

/** A terminal gets no control characters, and an end of line. Everything else gets the text as it is. */
async function write(text: string, { streams, signal }: CommandContext): Promise<void> {
  const { stdout } = streams;
  const shown = stdout.isTTY === true ? stripControls(text).replace(/(?<=[^\n])$/, '\n') : text;
  await writeWhole(shown, stdout, signal);
}
