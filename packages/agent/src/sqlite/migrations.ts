import type { Database } from './database.ts';

/**
 * The steps from an empty file to the present tables. A step that was released is never changed: a
 * change of the tables is a new step at the end.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE session (
    -- Never used again, because a branch can outlive its session.
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    leaf TEXT,
    seq INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    title TEXT,
    folder TEXT,
    parent TEXT,
    fork_of TEXT,
    fence INTEGER NOT NULL DEFAULT 0,
    owner TEXT,
    renewed_at INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX session_by_parent ON session (parent);

  -- An entry stands in the branch of the session that appended it.
  CREATE TABLE entry (
    number INTEGER PRIMARY KEY,
    branch INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    parent TEXT,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (branch, seq)
  ) STRICT;

  -- What a session shares: parts of the branches of others. Its own branch follows.
  CREATE TABLE segment (
    number INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
    branch INTEGER NOT NULL,
    last INTEGER NOT NULL,
    UNIQUE (session, branch)
  ) STRICT;
  CREATE INDEX segment_by_branch ON segment (branch, last);

  CREATE TABLE text (
    number INTEGER PRIMARY KEY,
    address TEXT NOT NULL UNIQUE,
    checksum INTEGER NOT NULL,
    json TEXT NOT NULL
  ) STRICT;
  CREATE TABLE text_use (
    number INTEGER PRIMARY KEY,
    entry INTEGER NOT NULL REFERENCES entry (number) ON DELETE CASCADE,
    text INTEGER NOT NULL REFERENCES text (number),
    UNIQUE (text, entry)
  ) STRICT;
  CREATE INDEX text_use_by_entry ON text_use (entry);

  CREATE TABLE inbox (
    number INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    -- Null when the message was taken. The row stays, so that its id is known.
    checksum INTEGER,
    json TEXT,
    at INTEGER NOT NULL,
    UNIQUE (session, id)
  ) STRICT;

  -- Words that are not in the index yet.
  CREATE TABLE new_words (
    entry INTEGER PRIMARY KEY REFERENCES entry (number) ON DELETE CASCADE,
    content TEXT NOT NULL
  ) STRICT;
  CREATE VIRTUAL TABLE words USING fts5 (content, tokenize = 'unicode61 remove_diacritics 2', columnsize = 0);
  CREATE TRIGGER entry_removed AFTER DELETE ON entry BEGIN
    DELETE FROM words WHERE rowid = old.number;
  END;

  -- What the holder of a session shows while somebody watches. It is gone with the lease.
  CREATE TABLE draft (
    session INTEGER PRIMARY KEY REFERENCES session (number) ON DELETE CASCADE,
    watched TEXT NOT NULL,
    fence INTEGER NOT NULL,
    json TEXT
  ) STRICT;
  `,
  `
  -- When each tool ran last. What a body that damage has changed says is left out.
  CREATE INDEX entry_by_tool ON entry (iif(json_valid(json), json_extract(json, '$.name'), NULL), at)
  WHERE kind = 'start';
  `,
];

/** The version that this version of Toolfold writes. It knows no newer one. */
export const KNOWN_VERSION: number = MIGRATIONS.length;

/** Brings a file to the version of `steps`, in one transaction. Does nothing if it has that version. */
export function migrate(database: Database, steps: readonly string[] = MIGRATIONS): void {
  if (versionOf(database) >= steps.length) return;
  database.write(() => {
    // Another process may have done it meanwhile.
    for (const step of steps.slice(versionOf(database))) database.execute(step);
    database.execute(`PRAGMA user_version = ${steps.length}`);
  });
}

/** The version of the tables in a file: how many steps were done. */
export function versionOf(database: Database): number {
  return Number(database.pragma('user_version') ?? 0);
}
