import { pick } from '@toolfold/core/internal/values';
import { openSession, type Session } from './session.ts';
import type { Entry, SessionRecord } from './store.ts';

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

/**
 * A session as lines of JSON, without line ends: a header, its entries, the texts that they refer to, and
 * then the sessions of its subagents in the same form. It names no parent and no session that it is a
 * fork of. It holds all that was said, and the results of tools. Rejects with the errors of the store.
 */
export async function* exportSession(session: Session): AsyncGenerator<string, void> {
  const { store, id, entries } = session;
  const texts: { readonly address: string; readonly text: string }[] = [];
  for (const address of addressesIn(entries)) {
    const text = await store.text(address);
    // Other strings only look like an address.
    if (text !== undefined) texts.push({ address, text });
  }
  const children = await store.list({ parent: id });
  const header: Header = {
    format: FORMAT,
    version: VERSION,
    session: pick(session.record, 'id', 'createdAt', 'title', 'folder'),
    ...{ entries: entries.length, texts: texts.length, children: children.length },
  };
  yield JSON.stringify(header);
  for (const { id, parent, seq, kind, body, at } of entries)
    yield JSON.stringify({ id, parent, seq, kind, body, at });
  for (const text of texts) yield JSON.stringify(text);
  const inOrder = children.toSorted((a, b) => a.createdAt - b.createdAt);
  for (const child of inOrder) yield* exportSession(await openSession(store, child.id));
}
