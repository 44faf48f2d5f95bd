import { crc32 } from 'node:zlib';
import { damaged } from './sqlite-error.ts';

/** A value as a row keeps it. SQLite does not notice changed bytes of a text; the checksum does. */
export interface JsonColumn {
  readonly json: string;
  readonly checksum: number;
}

export function written(value: unknown): JsonColumn {
  const json = JSON.stringify(value);
  return { json, checksum: crc32(json) };
}

/** The value of a row. Throws `session-damaged` if its bytes are not those that were written. */
export function parsed({ json, checksum }: JsonColumn, file: string, what: string): unknown {
  if (crc32(json) !== checksum) throw damaged(file, `${what} was changed`);
  return JSON.parse(json);
}
