import type { Entry, SessionRecord } from '../store/index.ts';

/** The name of the format. Each header has it. */
export const FORMAT = 'toolfold-session';

/** The version of the format that this version of Toolfold writes. It reads no newer one. */
export const VERSION = 1;

/** What a header says of its session. The rest of the record follows from the entries. */
export type SessionHead = Pick<SessionRecord, 'id' | 'createdAt' | 'title' | 'folder'>;

/**
 * The first line of a session. Behind it come its entries, the texts they refer to as `address` (the
 * SHA-256 of its UTF-8 in hexadecimal) and `text`, and its subagents' sessions.
 */
export interface Header {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly session: SessionHead;
  /** How many entries, texts and sessions of subagents follow. */
  readonly entries: number;
  readonly texts: number;
  readonly children: number;
}

/** A text of JSON that can be an address. Quotes within a text are escaped, and a colon follows a key. */
const ADDRESS = /(?<=(?<!\\)")[0-9a-f]{64}(?="(?!:))/g;

/** All strings in the bodies of entries that can be addresses of texts, in order. */
export function addressesIn(entries: readonly Entry[]): Set<string> {
  return new Set(entries.flatMap(({ body }) => JSON.stringify(body).match(ADDRESS) ?? []));
}
