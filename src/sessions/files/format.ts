import type { JsonValue } from '../../tools/values/index.ts';
import type { SessionRecord } from '../store/index.ts';

/** The name of the format. Each header has it. */
export const FORMAT = 'toolfold-session';

/** The version of the format that this version of Toolfold writes. It reads no newer one. */
export const VERSION = 1;

/** Most levels of sessions below the first one. Agents go four levels deep. */
export const MAX_LEVELS = 16;

/** What a header says of its session. The rest of the record follows from the entries. */
export type SessionHead = Pick<SessionRecord, 'id' | 'createdAt' | 'title' | 'folder'>;

/**
 * The first line of a session. Behind it come its entries, the texts they refer to, and its subagents'
 * sessions.
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

/** The line of a text. `address` is the SHA-256 of its UTF-8 in hexadecimal. */
export interface TextLine {
  readonly address: string;
  readonly text: string;
}

const ADDRESS = /^[0-9a-f]{64}$/;

/** All strings in a body that can be addresses of texts, each once, in order. */
export function addressesIn(body: JsonValue): readonly string[] {
  const found = new Set<string>();
  const open: JsonValue[] = [body];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string' && ADDRESS.test(next)) found.add(next);
    // From the last to the first, because the last of `open` is read first.
    else if (typeof next === 'object' && next !== null)
      for (const member of Object.values(next).reverse()) open.push(member);
  }
  return [...found];
}
