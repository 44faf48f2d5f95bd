import { readFile } from 'node:fs/promises';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { parametersOf } from '@toolfold/core/internal/tools/schema';
import { isRecord } from '@toolfold/core/internal/tools/values';
import { unreadable, usageError } from '../../app/terminal/index.ts';
import type { FoundTool } from './ranker.ts';

/** What each line of a file is, and its form, for messages. */
export interface Kind<T> {
  readonly what: string;
  readonly form: string;
  /** Returns what is wrong with a line that is no such value. */
  readonly read: (line: Readonly<Record<string, unknown>>) => T | string;
}

/** A tool of a file. */
export const TOOL: Kind<FoundTool> = {
  what: 'a tool',
  form: '{ "id", "server", "name", "description", "inputSchema" }, of which "id" and "name" are required',
  read: ({ id, server, name, description, inputSchema }) => {
    if (!isVisible(id)) return 'it has no "id"';
    if (!isVisible(name)) return 'it has no "name"';
    return {
      ...{ id, name, group: typeof server === 'string' ? server : '' },
      description: typeof description === 'string' ? description : '',
      parameters: isRecord(inputSchema) ? parametersOf(inputSchema) : [],
    };
  },
};

/** A query of a file. The text may be empty: then no tool matches. */
export interface FileQuery {
  readonly id: string | number;
  readonly query: string;
}

export const QUERY: Kind<FileQuery> = {
  what: 'a query',
  form: '{ "id", "query" }',
  read: ({ id, query }) => {
    if (typeof query !== 'string') return 'it has no "query"';
    // Files often number their queries. The output has the id as it was given.
    return typeof id === 'number' || isVisible(id) ? { id, query } : 'it has no "id"';
  },
};

/**
 * Reads a file with one JSON object a line. Empty lines are skipped. Throws `invalid-option` if the
 * file cannot be read or is empty, and, with the number of the line, if a line is not of the kind or has
 * the `id` of an earlier one.
 */
export async function readJsonLines<T extends { readonly id: string | number }>(
  file: string,
  { what, form, read }: Kind<T>,
  signal: AbortSignal,
): Promise<T[]> {
  const values: T[] = [];
  const first = new Map<string | number, string>();
  for (const [index, text] of (await readText(file, form, signal)).split('\n').entries()) {
    if (text.trim() === '') continue;
    const where = `${file}:${index + 1}`;
    const value = readLine(text, read);
    if (typeof value === 'string')
      throw usageError(`${where} is not ${what}: ${value}.`, `Each line is ${form}.`);
    const earlier = first.get(value.id);
    if (earlier !== undefined)
      throw usageError(
        `${where} repeats the id ${JSON.stringify(value.id)} of ${earlier}.`,
        'Give each line an id of its own.',
      );
    first.set(value.id, where);
    values.push(value);
  }
  if (values.length === 0) throw usageError(`${file} is empty.`, `Each line is ${form}.`);
  return values;
}

function readLine<T>(text: string, read: Kind<T>['read']): T | string {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? read(value) : 'it is no JSON object';
  } catch (error) {
    return errorMessage(error);
  }
}

/** Whether a value is a text with at least one visible character. */
function isVisible(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

async function readText(file: string, form: string, signal: AbortSignal): Promise<string> {
  try {
    // Editors on Windows write a byte order mark at the start of a file.
    return (await readFile(file, { encoding: 'utf8', signal })).replace(/^\uFEFF/, '');
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(file, error, `Give a file whose lines are ${form}.`);
  }
}
