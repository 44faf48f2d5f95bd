import { readFile } from 'node:fs/promises';
import { unreadable, usageError } from '../../app/terminal/index.ts';
import { errorMessage, type ToolfoldError } from '../../errors.ts';
import { parametersOf } from '../../tools/schema/index.ts';
import { isRecord } from '../../tools/values/index.ts';
import type { FoundTool } from './ranker.ts';

interface Line {
  /** The file and the number of the line, for messages. */
  readonly where: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** What a file holds, for messages: what one line is, and its form. */
interface Kind {
  readonly what: string;
  readonly form: string;
}

const TOOL = {
  what: 'a tool',
  form: '{ "id", "server", "name", "description", "inputSchema" }, of which "id" and "name" are required',
};

/** Reads a file of tools, one a line. Throws `invalid-option` for a line that is not a tool. */
export function readToolFile(file: string, signal: AbortSignal): Promise<FoundTool[]> {
  return readJsonLines(file, TOOL, signal, (line) => {
    const { server, description, inputSchema } = line.value;
    return {
      id: requiredText(line, 'id', TOOL),
      name: requiredText(line, 'name', TOOL),
      group: typeof server === 'string' ? server : '',
      description: typeof description === 'string' ? description : '',
      parameters: isRecord(inputSchema) ? parametersOf(inputSchema) : [],
    };
  });
}

const QUERY = { what: 'a query', form: '{ "id", "query" }' };

/** A query of a file. The text may be empty: then no tool matches. */
export interface FileQuery {
  readonly id: string | number;
  readonly query: string;
}

/** Reads a file of queries, one a line. Throws `invalid-option` for a line that is not a query. */
export function readQueryFile(file: string, signal: AbortSignal): Promise<FileQuery[]> {
  return readJsonLines(file, QUERY, signal, (line) => {
    const { id, query } = line.value;
    if (typeof query !== 'string') throw invalidLine(line.where, 'it has no "query"', QUERY);
    // Files often number their queries. The output has the id as it was given.
    return { id: typeof id === 'number' ? id : requiredText(line, 'id', QUERY), query };
  });
}

/**
 * Reads a file with one JSON object a line. Empty lines are skipped. Throws `invalid-option` if the
 * file cannot be read or is empty, and, with the number of the line, if a line is no JSON object or has
 * the `id` of an earlier one.
 */
async function readJsonLines<T extends { readonly id: string | number }>(
  file: string,
  kind: Kind,
  signal: AbortSignal,
  read: (line: Line) => T,
): Promise<T[]> {
  const content = await readText(file, kind, signal);
  const lines = content.split('\n').flatMap((text, index) => {
    const where = `${file}:${index + 1}`;
    return text.trim() === '' ? [] : [{ where, value: parse(where, text, kind) }];
  });
  if (lines.length === 0) throw usageError(`${file} is empty.`, `Each line is ${kind.form}.`);
  const values = lines.map((line) => ({ where: line.where, value: read(line) }));
  const first = new Map<string | number, string>();
  for (const { where, value } of values) {
    const earlier = first.get(value.id);
    if (earlier !== undefined) {
      throw usageError(
        `${where} repeats the id ${JSON.stringify(value.id)} of ${earlier}.`,
        'Give each line an id of its own.',
      );
    }
    first.set(value.id, where);
  }
  return values.map(({ value }) => value);
}

/** A text field. Throws `invalid-option` if it is not a text with at least one visible character. */
function requiredText({ where, value }: Line, field: string, kind: Kind): string {
  const text = value[field];
  if (typeof text === 'string' && text.trim() !== '') return text;
  throw invalidLine(where, `it has no "${field}"`, kind);
}

function invalidLine(where: string, reason: string, kind: Kind, cause?: unknown): ToolfoldError {
  return usageError(
    `${where} is not ${kind.what}: ${reason}.`,
    `Each line is ${kind.form}.`,
    cause,
  );
}

async function readText(file: string, { form }: Kind, signal: AbortSignal): Promise<string> {
  try {
    // Editors on Windows write a byte order mark at the start of a file.
    return (await readFile(file, { encoding: 'utf8', signal })).replace(/^\uFEFF/, '');
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(file, error, `Give a file whose lines are ${form}.`);
  }
}

function parse(where: string, text: string, kind: Kind): Line['value'] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidLine(where, errorMessage(error), kind, error);
  }
  if (isRecord(value)) return value;
  throw invalidLine(where, 'it is no JSON object', kind);
}
