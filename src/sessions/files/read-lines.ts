import { errorMessage, ToolfoldError } from '../../errors.ts';
import { isRecord, isTooDeep } from '../../tools/values/index.ts';

/** A line of an export. */
export interface Line {
  /** Its number in the file; the first line has 1. */
  readonly number: number;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Reads lines of JSON objects. Empty lines are skipped. Throws `invalid-option` for any other line. */
export async function readLines(
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<readonly Line[]> {
  const read: Line[] = [];
  let number = 0;
  for await (const line of lines) {
    number += 1;
    // Editors on Windows write a byte order mark at the start of a file.
    const text = number === 1 ? line.replace(/^\uFEFF/, '') : line;
    if (text.trim() !== '') read.push({ number, value: parse(number, text) });
  }
  return read;
}

/** The lines of a text that comes in chunks, without their ends. Only `\n` ends a line. */
export async function* linesOf(
  chunks: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string, void> {
  // Joined at the end of a line only: a line may have many chunks.
  let parts: string[] = [];
  for await (const chunk of chunks) {
    const [first = '', ...others] = chunk.split('\n');
    parts.push(first);
    for (const other of others) {
      yield parts.join('');
      parts = [other];
    }
  }
  const last = parts.join('');
  if (last !== '') yield last;
}

/** The error for a line that an export does not have. */
export function wrongLine(number: number, reason: string, cause?: unknown): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    `Line ${number} of the export is wrong: ${reason}.`,
    'Nothing was imported. Export the session again.',
    cause,
  );
}

function parse(number: number, text: string): Line['value'] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrongLine(number, `it is no JSON (${errorMessage(error)})`, error);
  }
  if (!isRecord(value)) throw wrongLine(number, 'it is no JSON object');
  if (isTooDeep(value)) throw wrongLine(number, 'it is nested too deeply');
  return value;
}
