import type { JsonObject } from '@toolfold/core/internal/tools/values';

/**
 * The kind of an entry that stands in the place of one that damage of a file has destroyed. A session with such an entry
 * can be read and forked before it, and not continued.
 */
export const MISSING_ENTRY = 'missing';

/** One entry of a journal. It is never changed. */
export interface Entry {
  /** Unique among all entries of a store. */
  readonly id: string;
  /** The entry before it; null for the first one of a tree. */
  readonly parent: string | null;
  /** Its number on the path from the first entry, which has 1. Rises by one along a session. */
  readonly seq: number;
  readonly kind: string;
  readonly body: JsonObject;
  /** Milliseconds since 1970. Never less than that of the entry before. */
  readonly at: number;
}

/** An entry to append. */
export interface NewEntry extends Entry {
  /** The words in it that `search` finds. */
  readonly words?: string;
}

/** What a store knows of a session besides its entries. */
export interface SessionRecord {
  readonly id: string;
  /** The last entry; null if there is none. */
  readonly leaf: string | null;
  /** The number of the last entry; 0 if there is none. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** When the last entry was appended, or when the session was created. */
  readonly changedAt: number;
  readonly title?: string;
  /** The folder in which the user works. */
  readonly folder?: string;
  /** For the session of a subagent: the session of its parent. */
  readonly parent?: string;
  /** The session that it is a fork of. */
  readonly forkOf?: string;
}

/** A session to create. With a `leaf`, it begins with the entries up to that one, which it shares. */
export interface NewSession
  extends Pick<SessionRecord, 'id' | 'createdAt' | 'title' | 'folder' | 'parent' | 'forkOf'> {
  readonly leaf?: string;
}
