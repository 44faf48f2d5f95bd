import type { Database } from './database.ts';

/**
 * The steps from an empty schema to the present tables. A step that was released is never changed. A new step only adds,
 * so that processes of the version before go on beside those of the new one.
 */
const STEPS: readonly string[] = [
  `
  CREATE TABLE @session (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    -- Of the call that has created it, so that a repeated one knows what it has done.
    token uuid NOT NULL,
    leaf text COLLATE "C",
    seq bigint NOT NULL,
    created_at bigint NOT NULL,
    changed_at bigint NOT NULL,
    title text,
    folder text COLLATE "C",
    parent text COLLATE "C",
    fork_of text COLLATE "C",
    fence bigint NOT NULL DEFAULT 0,
    -- Null if the lease was released, or if there was none.
    owner text,
    instance text COLLATE "C",
    -- By the clock of the database, in milliseconds.
    renewed_at bigint NOT NULL DEFAULT 0
  );
  CREATE INDEX session_by_parent ON @session (parent, changed_at DESC, number DESC);

  -- An entry stands in the branch of the session that appended it.
  CREATE TABLE @entry (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    branch bigint NOT NULL,
    seq bigint NOT NULL,
    id text COLLATE "C" NOT NULL CONSTRAINT entry_id UNIQUE,
    parent text COLLATE "C",
    kind text NOT NULL,
    at bigint NOT NULL,
    json text NOT NULL,
    -- The tool that an entry of kind "start" names.
    tool text COLLATE "C",
    UNIQUE (branch, seq)
  );
  CREATE INDEX entry_by_tool ON @entry (tool, at) WHERE tool IS NOT NULL;

  -- What a session shares: parts of the branches of others. Its own branch follows.
  CREATE TABLE @segment (
    session bigint NOT NULL REFERENCES @session ON DELETE CASCADE,
    branch bigint NOT NULL,
    last bigint NOT NULL,
    PRIMARY KEY (session, branch)
  );
  CREATE INDEX segment_by_branch ON @segment (branch, last);

  CREATE TABLE @text (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    address text COLLATE "C" NOT NULL UNIQUE,
    json text NOT NULL
  );
  CREATE TABLE @text_use (
    entry bigint NOT NULL REFERENCES @entry ON DELETE CASCADE,
    text bigint NOT NULL REFERENCES @text,
    PRIMARY KEY (text, entry)
  );
  CREATE INDEX text_use_by_entry ON @text_use (entry);

  CREATE TABLE @inbox (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session bigint NOT NULL REFERENCES @session ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    -- Null when the message was taken. The row stays, so that its id is known.
    json text,
    at bigint NOT NULL,
    UNIQUE (session, id)
  );
  CREATE INDEX inbox_waiting ON @inbox (session, number) WHERE json IS NOT NULL;

  -- The words of an entry in pieces, because a list of words has a greatest size.
  CREATE TABLE @words (
    entry bigint NOT NULL REFERENCES @entry ON DELETE CASCADE,
    piece integer NOT NULL,
    content text NOT NULL,
    folded tsvector NOT NULL,
    PRIMARY KEY (entry, piece)
  );
  CREATE INDEX words_folded ON @words USING gin (folded);

  -- What the holder of a session shows while somebody watches. It may be lost.
  CREATE UNLOGGED TABLE @draft (
    session bigint PRIMARY KEY REFERENCES @session ON DELETE CASCADE,
    watched_at bigint NOT NULL,
    fence bigint NOT NULL,
    json text
  );
  `,
];

/** Creates the tables, or adds what they lack. */
export async function migrate(database: Database): Promise<void> {
  const [found] = await database.query<{ is: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS is',
    database.nameOf('step'),
  );
  if (found?.is && (await stepsDone(database)) >= STEPS.length) return;
  await database.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', database.lock);
    // Who may not create a schema can use one that is there.
    const [schema] = await query('SELECT to_regnamespace($1) AS name', database.schema);
    if (schema?.name === null) await query(`CREATE SCHEMA ${database.schema}`);
    await query('CREATE TABLE IF NOT EXISTS @step (number integer PRIMARY KEY)');
    const [last] = await query<{ number: number }>(LAST_STEP);
    for (let done = last?.number ?? 0; done < STEPS.length; done++) {
      await query(STEPS[done] ?? '');
      await query('INSERT INTO @step VALUES ($1)', done + 1);
    }
  });
}

const LAST_STEP = 'SELECT coalesce(max(number), 0) AS number FROM @step';

async function stepsDone(database: Database): Promise<number> {
  const [last] = await database.query<{ number: number }>(LAST_STEP);
  return last?.number ?? 0;
}
