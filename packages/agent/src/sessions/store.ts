import type { JsonObject } from '@toolfold/core/internal/values';
import type { Lease, Owner } from './lease.ts';

/** A message of another process to the holder of a session's lease. */
export interface InboxMessage {
  readonly id: string;
  /**
   * `answer`: to approvals. `form`: to what MCP servers ask. `unknown`: decisions about calls whose outcome is unknown.
   * `user`: a message of the user for the turn that runs. `cancel`: of the turn. `cancel-subagent`: of one subagent. A
   * holder ignores kinds that it does not know.
   */
  readonly kind: 'answer' | 'form' | 'unknown' | 'user' | 'cancel' | 'cancel-subagent';
  readonly body: JsonObject;
}

/** A message as the holder gets it. */
export interface PostedMessage extends InboxMessage {
  /**
   * When it was posted, in milliseconds since 1970. Set by the store, and more than the time of each entry that the
   * session and those of its subagents had then: what was asked later, the message does not answer.
   */
  readonly at: number;
}

/** What a holder looks for while it writes. */
export interface Inbox {
  /** The messages that no entry has taken, in order. */
  readonly messages: readonly PostedMessage[];
  /** Whether somebody has called `watch` in the last `WATCH_TIME`. */
  readonly isWatched: boolean;
}

/** Milliseconds for which a call of `watch` counts. */
export const WATCH_TIME = 5_000;

/** How entries are appended. */
export interface AppendOptions {
  readonly lease: Lease;
  /**
   * Texts that entries refer to, by the SHA-256 of their UTF-8 in hexadecimal. A text that is
   * known is not stored again. A text is kept as long as the first of the entries that it was given with,
   * so a text is given again to sessions that do not share such an entry. The address is not checked.
   */
  readonly texts?: ReadonlyMap<string, string>;
  /** The ids of the messages that these entries take. In the same step, they leave the inbox. */
  readonly taken?: readonly string[];
}

export interface ListOptions {
  /** Only sessions of this folder. */
  readonly folder?: string;
  /** Sessions of subagents of this session. Left out, only sessions without a parent. */
  readonly parent?: string;
  readonly limit?: number;
}

export interface SearchOptions {
  /** 20 if left out. */
  readonly limit?: number;
}

/** An entry whose words match a search. */
export interface SessionHit {
  readonly session: string;
  readonly seq: number;
  /** A part of its words around the match, in one line. */
  readonly excerpt: string;
}

/**
 * Keeps sessions. Each function is atomic: it is done whole, and durable when it resolves, or not at
 * all. Rejects with a `ToolfoldError`: `session-unknown`, `session-busy`, `session-lost`,
 * `session-damaged`, `session-newer`, `invalid-option` for a value that it can never keep, or
 * `session-unavailable` if the place can not be read or written (no space, no permission). Only the last one is
 * tried again, so a store must not reject so for a value.
 */
export interface SessionStore {
  /** What it is and where, for messages: such as the path of a file. */
  readonly name: string;
  /**
   * Milliseconds for which `Session` tries a write again that fails with `session-unavailable`. Two minutes
   * if left out.
   */
  readonly retryTimeout?: number;

  /** Rejects with `invalid-option` if the id is taken, if there is no entry that is the leaf, or if it would be below itself. */
  create(session: NewSession): Promise<void>;
  get(id: string): Promise<SessionRecord | undefined>;
  /** The newest change first. Of two with the same time, the one that was created later. */
  list(options?: ListOptions): Promise<readonly SessionRecord[]>;
  /** Changes the title and nothing else. Works whoever writes the session. */
  rename(id: string, title: string): Promise<void>;
  /**
   * Removes a session, the sessions of its subagents, and all entries and texts that no other session
   * shares. Rejects with `session-busy` while a lease of one of them is held. Resolves with false if there
   * is none.
   */
  remove(id: string): Promise<boolean>;

  /**
   * Appends entries at the end of the lease's session, and renews the lease. Rejects with `session-lost`
   * if the lease was released or taken by another owner, or if an entry does not follow the one before,
   * and with `invalid-option` if the id of an entry is taken.
   */
  append(entries: readonly NewEntry[], options: AppendOptions): Promise<void>;
  /** The entries of a session after the number `after` (0), in order. */
  read(id: string, options?: { readonly after?: number }): Promise<readonly Entry[]>;
  /** A text by its address. */
  text(address: string): Promise<string | undefined>;
  /**
   * When each tool ran last over all sessions, in milliseconds since 1970: the latest time of the entries of kind
   * `start`, by the `name` in their bodies. Absent if the store does not know it without reading them all.
   */
  lastRuns?(): Promise<ReadonlyMap<string, number>>;
  /**
   * The newest entries whose words match, each in the oldest of the sessions that share it. All words of
   * the query must occur; the last one may be a beginning. Case and accents do not matter.
   */
  search(query: string, options?: SearchOptions): Promise<readonly SessionHit[]>;

  /**
   * Takes the lease of a session. Free leases are those released, those not renewed for `LEASE_TIME`, and
   * those whose owner is gone, and that of the same owner. Rejects with `session-busy`, naming the holder, if it is not free.
   */
  acquire(session: string, owner: Owner): Promise<Lease>;
  /** Rejects with `session-lost` if it was released, or taken by another owner. */
  renew(lease: Lease): Promise<void>;
  /** Does nothing if another owner has taken it. */
  release(lease: Lease): Promise<void>;
  /** The owner of a lease that is not free. */
  holder(session: string): Promise<Owner | undefined>;

  /**
   * Leaves a message for the holder. A message whose id the session has had before is not stored again,
   * also if that was taken.
   */
  post(session: string, message: InboxMessage): Promise<void>;
  /** What waits for the holder. Changes nothing. Rejects with `session-lost` as `append` does. */
  look(lease: Lease): Promise<Inbox>;
  /**
   * Shows others what the holder has not written yet, in place of what it showed before. It is gone with the lease,
   * need not be durable, and is no entry. Rejects with `session-lost` as `append` does.
   */
  show(lease: Lease, draft: JsonObject | undefined): Promise<void>;
  /** What the holder shows, and lets it know that somebody watches. Undefined if there is nothing. */
  watch(session: string): Promise<JsonObject | undefined>;

  /** Does nothing the second time. */
  close(): Promise<void>;
}

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
