import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import {
  type Entry,
  type Lease,
  type NewEntry,
  type NewSession,
  newOwner,
  type SessionStore,
} from '@toolfold/agent/internal/sessions';

/** One behaviour that every store of sessions has. */
export interface StoreCase {
  readonly name: string;
  /**
   * Rejects if the store behaves otherwise. The store is empty and its own; the caller closes it. Cases
   * about time set the clocks of this process, so no two cases run at the same time.
   */
  readonly run: (store: SessionStore, tested?: TestedStore) => Promise<void>;
}

/** How a store is tested that judges leases otherwise than by the clocks and processes of this machine. */
export interface TestedStore {
  /** The clock of its leases. Left out, the clocks of this process. */
  readonly clock?: () => LeaseClock;
  /** Takes the lease of a session for an owner whose end the store then knows of. */
  readonly acquireGone?: (store: SessionStore, session: string) => Promise<Lease>;
  /** Another client of the same place, which the caller closes. Left out, it is the same object. */
  readonly another?: () => Promise<SessionStore>;
}

/** A clock that a case sets. */
export interface LeaseClock {
  /** Milliseconds that may pass by themselves between two calls. */
  readonly slack: number;
  /** Time passes, in milliseconds. */
  pass(time: number): void | Promise<void>;
  /** Somebody sets the clock of this process, by hours from what it was. */
  set(hours: number): void;
  restore(): void;
}

/** The lease of an owner whose process has ended: process numbers are never this large. */
export function acquireGone(store: SessionStore, session: string): Promise<Lease> {
  return store.acquire(session, { ...newOwner(), pid: 2 ** 30 });
}

/** The store and three other clients of its place. */
export async function clientsOf(
  store: SessionStore,
  { another = async () => store }: TestedStore,
): Promise<readonly SessionStore[]> {
  return [store, await another(), await another(), await another()];
}

/** The time of the sessions and entries of the cases. */
export const NOW = 1_700_000_000_000;

export const addressOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A session in a store with its lease, and a short way to append. */
export class SessionWriter {
  readonly store: SessionStore;
  readonly id: string;
  readonly lease: Lease;
  #last: Pick<Entry, 'id' | 'seq'> | undefined;

  private constructor(store: SessionStore, id: string, lease: Lease, last?: Entry) {
    this.store = store;
    this.id = id;
    this.lease = lease;
    this.#last = last;
  }

  static async of(store: SessionStore, session: Partial<NewSession> = {}): Promise<SessionWriter> {
    const id = session.id ?? randomUUID();
    await store.create({ createdAt: NOW, ...session, id });
    return SessionWriter.open(store, id);
  }

  static async open(store: SessionStore, id: string): Promise<SessionWriter> {
    const lease = await store.acquire(id, newOwner());
    return new SessionWriter(store, id, lease, (await store.read(id)).at(-1));
  }

  /** Entries that would follow the last one, one for each text. */
  next(...texts: readonly string[]): NewEntry[] {
    let { id: parent, seq }: { id: string | null; seq: number } = this.#last ?? {
      id: null,
      seq: 0,
    };
    return texts.map((text) => {
      seq++;
      const entry = { id: randomUUID(), parent, seq, kind: 'user', body: { text }, at: NOW + seq };
      parent = entry.id;
      return { ...entry, words: text };
    });
  }

  /** Appends one entry for each text, and returns the last one. */
  async say(...texts: readonly string[]): Promise<NewEntry> {
    return this.append(this.next(...texts));
  }

  /** Appends an entry that takes messages. */
  async take(...taken: readonly string[]): Promise<NewEntry> {
    return this.append(this.next('taken'), undefined, taken);
  }

  async append(
    entries: readonly NewEntry[],
    texts?: ReadonlyMap<string, string>,
    taken: readonly string[] = [],
  ): Promise<NewEntry> {
    await this.store.append(entries, { lease: this.lease, taken, ...(texts ? { texts } : {}) });
    const last = entries.at(-1);
    assert.ok(last);
    this.#last = last;
    return last;
  }
}

/** The texts of a session's entries. */
export async function textsOf(store: SessionStore, id: string, after = 0): Promise<unknown[]> {
  return (await store.read(id, { after })).map(({ body }) => body.text);
}

/** Checks that work rejects with an error of this code. */
export const refused = (work: Promise<unknown>, code: string): Promise<void> =>
  assert.rejects(work, { code });

const HOUR = 3_600_000;

/** The clocks of this process, until they are restored: the one that people set, and the one that nobody sets. */
export class FakeClock implements LeaseClock {
  readonly slack = 1;
  readonly #now = Date.now;
  readonly #ticks = process.hrtime.bigint;
  #set = 0;
  #passed = 0;

  /** `now`: what the first clock shows. */
  constructor(now: number) {
    const ticks = this.#ticks.call(process.hrtime);
    Date.now = () => now + this.#set + this.#passed;
    process.hrtime.bigint = () => ticks + BigInt(this.#passed) * 1_000_000n;
  }

  /** Time passes, in milliseconds. */
  pass(time: number): void {
    this.#passed += time;
  }

  /** Somebody sets the clock, by hours from what it was. */
  set(hours: number): void {
    this.#set = hours * HOUR;
  }

  restore(): void {
    Date.now = this.#now;
    process.hrtime.bigint = this.#ticks;
  }
}

export const newClock = (): LeaseClock => new FakeClock(NOW);
