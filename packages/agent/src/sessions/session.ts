import { randomUUID } from 'node:crypto';
import { invalidOption, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { type JsonObject, ownProperty, pick } from '@toolfold/core/internal/values';
import { type Lease, newOwner, type Owner, RENEWAL } from './lease.ts';
import { A_TEXT, A_TIME, checkOptions, checkStore, type OptionChecks } from './option-checks.ts';
import {
  type Entry,
  MISSING_ENTRY,
  type NewEntry,
  type NewSession,
  type PostedMessage,
  type SessionRecord,
  type SessionStore,
} from './store.ts';
import {
  checkWhole,
  failWith,
  lostSession,
  notAChild,
  retrying,
  unknownSession,
} from './store-errors.ts';
import { every } from './together.ts';

/** What is appended: an entry without what the session knows by itself. */
export interface Addition extends Pick<NewEntry, 'kind' | 'body' | 'words'> {
  /** Unique among all entries of the store. A new one if left out. */
  readonly id?: string;
  /** The message that the entry takes. */
  readonly takes?: Pick<PostedMessage, 'id' | 'at'>;
}

/** What the holder of a session is told while it writes. */
export interface SessionListener {
  /** Called with each message of another process. It waits for the next holder unless an entry takes it. */
  readonly onMessage: (message: PostedMessage) => void;
  /** Called once if the lease is lost. Nothing can be appended any more. */
  readonly onLost: (error: unknown) => void;
  /** What is not written yet, for others who watch. */
  readonly draft?: () => JsonObject | undefined;
}

/** How often messages of other processes are looked for, in milliseconds. */
const LOOK = 500;

/** One open session. Several processes may have it open; one at a time writes it. */
export class Session {
  readonly id: string;
  readonly store: SessionStore;
  readonly #owner: Owner = newOwner();
  #record: SessionRecord;
  #entries: Entry[];
  /** The number of entries that are known to be whole. */
  #whole = 0;
  #lease: Lease | undefined;
  /** Ends what is done again and again while the lease is held. */
  #ends: (() => void)[] = [];
  #listener: SessionListener | undefined;
  /** The messages that the listener has. */
  readonly #known: Set<string> = new Set();
  /** What is shown to others, as JSON. */
  #draft: string | undefined;
  /** Appends in the order of the calls. */
  #appended: Promise<unknown> = Promise.resolve();

  constructor(store: SessionStore, record: SessionRecord, entries: readonly Entry[]) {
    this.id = record.id;
    this.store = store;
    this.#record = record;
    this.#entries = [...entries];
  }

  /** What the store knew of it when it was read last, with the end of the entries that are known here. */
  get record(): SessionRecord {
    const record = this.#record;
    const { id: leaf, seq, at } = this.#entries.at(-1) ?? { id: null, seq: 0, at: 0 };
    return { ...record, leaf, seq, changedAt: Math.max(record.changedAt, at) };
  }

  /** All entries that are known here. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** The session of a subagent with this name, opened. It is created where there is none. */
  child(name: string): Promise<Session> {
    return this.#child(name).catch(failWith);
  }

  async #child(name: string): Promise<Session> {
    const { store, record, id: parent } = this;
    const id = `${parent}/${name}`;
    const known = await store.get(id);
    if (known && known.parent !== parent) throw notAChild(id, parent);
    if (known) return openSession(store, id);
    // A clock that goes backwards must not put it before the entry that began it.
    const createdAt = Math.max(record.changedAt, Date.now());
    return createSession(store, { id, createdAt, parent, title: name, folder: record.folder });
  }

  /** Whether this object may append. */
  get isHeld(): boolean {
    return this.#lease !== undefined;
  }

  /**
   * Takes the lease, and returns the entries that others have appended meanwhile. Rejects with
   * `session-busy` while another owner writes, and with `session-damaged` if entries are lost.
   */
  async begin(listener: SessionListener): Promise<readonly Entry[]> {
    const lease = await this.store.acquire(this.id, this.#owner).catch(failWith);
    this.#lease = lease;
    try {
      const added = await this.refresh();
      checkWhole(this.#entries.slice(this.#whole), this.id);
      this.#whole = this.#entries.length;
      this.#keep(lease, listener);
      return added;
    } catch (error) {
      await this.end();
      failWith(error);
    }
  }

  /** Reads the entries that others have appended, and returns them. */
  async refresh(): Promise<readonly Entry[]> {
    const after = this.#entries.length;
    const record = await this.store.get(this.id);
    const added = record?.seq === after ? [] : await this.store.read(this.id, { after });
    // Not spread into one call: there may be more of them than a call may have arguments.
    for (const entry of added) this.#entries.push(entry);
    this.#record = record ?? this.#record;
    return added;
  }

  /**
   * Appends entries in one step, after all that were given before. Resolves with them when they are
   * durable. Rejects with `session-lost` without the lease.
   */
  append(
    additions: readonly Addition[],
    texts: ReadonlyMap<string, string> = new Map(),
  ): Promise<readonly Entry[]> {
    const done = this.#appended.then(() => this.#append(additions, texts));
    this.#appended = done.catch(() => {});
    return done;
  }

  async #append(
    additions: readonly Addition[],
    texts: ReadonlyMap<string, string>,
  ): Promise<readonly Entry[]> {
    const { store, id: session } = this;
    const lease = this.#lease;
    if (!lease) throw lostSession(`The session "${session}" is not held by this process.`);
    let { leaf: parent, seq, changedAt } = this.record;
    const after = seq;
    const taken = additions.flatMap(({ takes }) => takes?.id ?? []);
    const entries: Entry[] = [];
    const added = additions.map(({ id = randomUUID(), kind, body, words, takes }): NewEntry => {
      // A clock that goes backwards must not reorder the past.
      changedAt = Math.max(changedAt, Date.now(), takes?.at ?? 0);
      seq += 1;
      const entry = { id, parent, seq, kind, body, at: changedAt };
      parent = id;
      entries.push(entry);
      return words === undefined ? entry : { ...entry, words };
    });
    if (added.length === 0) return [];
    const write = () => store.append(added, { lease, texts, taken });
    // An attempt may have done it although it failed here.
    const isDone = async () =>
      (await store.read(session, { after })).some(({ id }) => id === parent);
    const writeAgain = async () => void ((await isDone()) || (await write()));
    await write()
      .catch((error) => retrying(error, writeAgain, store.retryTimeout))
      .catch(async (error) => (await isDone().catch(() => false)) || failWith(error));
    this.#entries.push(...entries);
    return entries;
  }

  /** Waits for what was given to `append`, and gives the lease back. */
  async end(): Promise<void> {
    const lease = this.#lease;
    if (!lease) return;
    await this.#appended;
    this.#stop();
    // A lease that cannot be given back is free when its time is over.
    await this.store.release(lease).catch(() => {});
  }

  /**
   * Gives the listener each message of another process that it does not have, and shows its draft to those who
   * watch. Does nothing without the lease. While the lease is held, this is done every `LOOK` milliseconds.
   */
  async look(): Promise<void> {
    const lease = this.#lease;
    const listener = this.#listener;
    if (!lease || !listener) return;
    const { messages, isWatched } = await this.store.look(lease).catch(failWith);
    // Another look, or the loss of the lease, may have come before.
    if (this.#lease !== lease) return;
    for (const message of messages) {
      // Its entry may be waiting to be written.
      if (this.#known.has(message.id)) continue;
      this.#known.add(message.id);
      listener.onMessage(message);
    }
    const open = isWatched ? listener.draft?.() : undefined;
    const json = open && JSON.stringify(open);
    if (json !== this.#draft) await this.store.show(lease, open).catch(failWith);
    this.#draft = json;
  }

  #keep(lease: Lease, listener: SessionListener): void {
    const fail = (error: unknown) => {
      // A place that cannot be written for a moment has not given the lease to anybody else.
      if (ownProperty(error, 'code') === 'session-unavailable' || this.#lease !== lease) return;
      this.#stop();
      listener.onLost(error);
    };
    const keep = (time: number, work: () => Promise<void>) => {
      let isWorking = false;
      return every(time, async () => {
        if (isWorking) return;
        isWorking = true;
        await work().catch(failWith).catch(fail);
        isWorking = false;
      });
    };
    this.#listener = listener;
    this.#known.clear();
    this.#draft = undefined;
    this.#ends = [keep(RENEWAL, () => this.store.renew(lease)), keep(LOOK, () => this.look())];
  }

  #stop(): void {
    for (const end of this.#ends) end();
    this.#ends = [];
    this.#lease = undefined;
    this.#listener = undefined;
  }
}

const CREATE_SESSION_OPTIONS: OptionChecks<NewSession> = {
  id: A_TEXT,
  createdAt: A_TIME,
  title: A_TEXT,
  folder: A_TEXT,
  parent: A_TEXT,
  forkOf: A_TEXT,
  leaf: A_TEXT,
};

/** Creates a session in a store and opens it. Rejects with `invalid-option`, and with the errors of the store. */
export async function createSession(
  store: SessionStore,
  options: Partial<NewSession> = {},
): Promise<Session> {
  checkStore(store);
  checkOptions('createSession()', options, CREATE_SESSION_OPTIONS);
  const { id = randomUUID(), createdAt = Date.now(), ...others } = options;
  await store.create({ id, createdAt, ...others });
  return openSession(store, id);
}

/** Opens a session. Rejects with `session-unknown` if the store has none with this id. */
export async function openSession(store: SessionStore, id: string): Promise<Session> {
  checkStore(store);
  if (typeof id !== 'string') throw invalidOption('id', 'the id of a session');
  const record = await store.get(id);
  if (record) return new Session(store, record, await store.read(id));
  throw unknownSession(id, store.name);
}

/**
 * Creates a session that shares the entries of another one up to the number `at` (all). The sessions of its subagents
 * are forked with it, as they were at that time. Rejects with `session-damaged` if that entry is lost.
 */
export async function forkSession(session: Session, at?: number): Promise<Session> {
  const { store, entries, record } = session;
  const last = at === undefined ? entries.at(-1) : entries.find(({ seq }) => seq === at);
  if (at !== undefined && !last) {
    throw new ToolfoldError(
      'invalid-option',
      `The session "${record.id}" has no entry ${at}.`,
      `Its entries have the numbers 1 to ${record.seq}.`,
    );
  }
  checkEnd(entries, last, record.id);
  const fork = { id: randomUUID(), createdAt: Date.now() };
  const until = at === undefined ? Number.POSITIVE_INFINITY : (last?.at ?? 0);
  await createFork(store, record, fork, last, until);
  return openSession(store, fork.id);
}

/** Throws `session-damaged` where a fork would end with a lost entry: the store may not have a row of it. */
function checkEnd(entries: readonly Entry[], last: Entry | undefined, id: string): void {
  if (last?.kind === MISSING_ENTRY) checkWhole(entries, id);
}

/** Forks a session up to an entry, and those of its subagents up to a time. Each keeps its name below its parent. */
async function createFork(
  store: SessionStore,
  source: SessionRecord,
  fork: NewSession,
  last: Entry | undefined,
  until: number,
): Promise<void> {
  const known = pick(source, 'title', 'folder');
  await store.create({ ...fork, ...known, forkOf: source.id, leaf: last?.id });
  for (const child of await store.list({ parent: source.id })) {
    const { id, createdAt } = child;
    if (createdAt > until) continue;
    const entries = await store.read(id);
    const end = entries.findLast((entry) => entry.at <= until);
    checkEnd(entries, end, id);
    const below = { id: idBelow(id, source.id, fork.id), createdAt, parent: fork.id };
    await createFork(store, child, below, end, until);
  }
}

/** The id of a subagent's session below another parent. An agent finds those that are named after their parent. */
export function idBelow(id: string, before: string, parent: string): string {
  return id.startsWith(`${before}/`) ? parent + id.slice(before.length) : randomUUID();
}
