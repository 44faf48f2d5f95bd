import { crc32 } from 'node:zlib';
import { changed } from './sqlite-error.ts';

/** A value as a row keeps it. SQLite does not notice changed bytes of a text; the checksum does. */
export interface JsonColumn {
  readonly json: string;
  /** Of the text and of the other columns that belong to it. */
  readonly checksum: number;
}

/** `beside`: the other columns of the row that the checksum is of. */
export function written(value: unknown, beside = ''): JsonColumn {
  const json = JSON.stringify(value);
  return { json, checksum: checksumOf(json, beside) };
}

/** Whether the bytes of a row are those that were written. */
export function isUnchanged({ json, checksum }: JsonColumn, beside = ''): boolean {
  return checksumOf(json, beside) === checksum;
}

/** The value of a row. Throws `session-damaged` if its bytes are not those that were written. */
export function parsed(column: JsonColumn, file: string, what: string, beside = ''): unknown {
  // Damage can turn a text into bytes.
  if (typeof column.json !== 'string' || !isUnchanged(column, beside)) throw changed(file, what);
  return JSON.parse(column.json);
}

function checksumOf(json: string, beside: string): number {
  return crc32(json, crc32(beside));
}
