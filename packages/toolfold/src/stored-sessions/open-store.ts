import { randomUUID } from 'node:crypto';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import {
  isLeaseFree,
  type NewEntry,
  newOwner,
  type Owner,
  thisMoment,
} from '@toolfold/agent/internal/sessions';
import { type SqliteStore, sqliteStore } from '@toolfold/agent/internal/sqlite';
import { readPrivate, removePrivate, writePrivate } from '@toolfold/config/internal/files';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import {
  isRecord,
  listIn,
  ownProperties,
  parsedJson,
  queueOfWork,
} from '@toolfold/core/internal/values';
import type { MessageFile, Terminal, Unwritten } from '../terminal/index.ts';
import { sessionsFolder } from './find-session.ts';

/**
 * Opens the store of sessions. Notes if the file is damaged, and if it cannot be written for some time. What is
 * being appended counts in `unwritten`, as the outcome of a call while one runs.
 */
export async function openStore(
  { note }: Pick<Terminal, 'note'>,
  unwritten?: Unwritten,
): Promise<SqliteStore> {
  const opened = await announced(sqliteStore({ folder: sessionsFolder(), onWarning: note }), note);
  const store: SqliteStore = {
    ...opened,
    // What waited for its next turn goes with it.
    remove: async (id) => {
      const isRemoved = await opened.remove(id);
      const waiting = new WaitingMessages();
      await waiting.take(id);
      await waiting.keep(id, []);
      return isRemoved;
    },
  };
  if (unwritten === undefined) return store;
  const running = new RunningCalls();
  return {
    ...store,
    create: (...given) => announced(store.create(...given), note),
    acquire: (...given) => announced(store.acquire(...given), note),
    append: async (entries, options) => {
      const append = () => announced(store.append(entries, options), note);
      await unwritten.during(append, { isOutcome: running.isAny });
      running.note(options.lease.session, entries);
    },
  };
}

/**
 * The calls that have started and whose outcome is not in the store. Only what is appended while there are some keeps a
 * signalled process: an outcome may wait behind it, or be it.
 */
class RunningCalls {
  readonly #ids = new Set<string>();

  get isAny(): boolean {
    return this.#ids.size > 0;
  }

  /** Notes what was appended to a session. */
  note(session: string, entries: readonly NewEntry[]): void {
    for (const { kind, body } of entries) {
      const id = JSON.stringify([session, body.id]);
      if (kind === 'start') this.#ids.add(id);
      if (kind === 'result') this.#ids.delete(id);
    }
  }
}

/** Opens the store of sessions, runs `work`, and closes it. Rejects as either does. */
export async function withStore<T>(
  terminal: Pick<Terminal, 'note'>,
  work: (store: SqliteStore) => Promise<T>,
): Promise<T> {
  const store = await openStore(terminal);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Milliseconds after which the user is told what is waited for. */
const PATIENCE = 1500;

const LATE =
  'The sessions cannot be written at present: the disk may be full, or another program locks them. Toolfold tries again for two minutes.';

/** Says that the store of sessions lets the work wait, and when it is done after all. */
async function announced<T>(work: Promise<T>, note: (text: string) => void): Promise<T> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    note(LATE);
  }, PATIENCE);
  try {
    const result = await work;
    if (isLate) note('The sessions are written again.');
    return result;
  } finally {
    clearTimeout(timer);
  }
}

/** A message that waits for its turn. In its session it has the same id, so that no message is sent twice. */
export interface WaitingMessage {
  readonly id: string;
  readonly text: string;
  /** Images and other files. */
  readonly files?: readonly MessageFile[] | undefined;
  /** What the user typed, if that is not all of the text: files are attached to it. */
  readonly typed?: string | undefined;
  /** It waits for the end of the turn. Left out, the turn that runs gets it. */
  readonly when?: 'after' | undefined;
  /** It was never sent: it goes back into the message box. */
  readonly isDraft?: true;
}

/**
 * Keeps the messages that wait in this process. When it has ended, the next one that opens their session takes them.
 * Each process has a file of its own, and a file `OWNER.ID` for what it has claimed and not yet written into that.
 */
export class WaitingMessages {
  readonly #folder: string;
  readonly #owner: Owner = newOwner();
  readonly #inOrder = queueOfWork();
  readonly #claimed: string[] = [];

  /** The folder with one file for each process that has messages. */
  constructor(folder: string = join(sessionsFolder(), 'waiting')) {
    this.#folder = folder;
  }

  /** Keeps these in place of those before. Rejects if the file cannot be written. */
  keep(session: string | undefined, messages: readonly WaitingMessage[]): Promise<void> {
    // What is claimed later is not among these.
    const claimed = this.#claimed.splice(0);
    return this.#inOrder(async () => {
      const isEmpty = session === undefined || messages.length === 0;
      if (!isEmpty) await this.#write(session, messages);
      for (const file of claimed) await removePrivate(file);
      if (isEmpty) await removePrivate(this.#own);
    });
  }

  /**
   * Claims the messages of a session that processes have left which have ended. Only one process gets them. They stay
   * in files until the next `keep` has written what it is given: where this process ends before, another one claims them.
   */
  take(session: string): Promise<readonly WaitingMessage[]> {
    return this.#inOrder(async () => {
      const claimed = new Map<string, readonly WaitingMessage[]>();
      for (const name of await readdir(this.#folder).catch(() => [])) {
        const { owner = (await this.#read(name)).owner } = await this.#read(name.split('.', 1)[0]);
        if (!hasEnded(owner)) continue;
        // Nobody changes it any more.
        const left = await this.#read(name);
        if (left.session !== session) continue;
        // The file of this process says whose the claim is.
        if (!(await this.#read(this.#owner.instance)).owner) await this.#write(session, []);
        const file = `${this.#own}.${randomUUID()}`;
        // Only one of several processes can rename it.
        const failed = await rename(join(this.#folder, name), file).catch(errorMessage);
        if (failed === undefined) claimed.set(file, listIn(left, 'messages').filter(isMessage));
      }
      this.#claimed.push(...claimed.keys());
      return [...claimed.values()].flat();
    });
  }

  get #own(): string {
    return join(this.#folder, this.#owner.instance);
  }

  readonly #write = (session: string, messages: readonly WaitingMessage[]): Promise<void> =>
    writePrivate(this.#own, JSON.stringify({ session, owner: this.#owner, messages }));

  async #read(name = ''): Promise<Readonly<Record<string, unknown>>> {
    const text = await readPrivate(join(this.#folder, name)).catch(() => undefined);
    return ownProperties(parsedJson(text ?? ''));
  }
}

/** Whether a process has certainly ended. The time of its last sign does not count. */
function hasEnded(owner: unknown): boolean {
  const now = thisMoment();
  return isRecord(owner) && isLeaseFree({ owner: owner as unknown as Owner, renewed: now }, now);
}

function isMessage(value: unknown): value is WaitingMessage {
  return isRecord(value) && typeof value.id === 'string' && typeof value.text === 'string';
}
