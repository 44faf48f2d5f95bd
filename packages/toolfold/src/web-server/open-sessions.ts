import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type ListedSession, listedSession, stateText } from '../stored-sessions/index.ts';
import type { WireHome, WireListed } from '../web-wire/index.ts';
import { gone, refused } from './requests.ts';
import { type SessionPlace, type WebHost, WebSession } from './web-session.ts';

/** Most sessions of the list. */
const MOST = 50;
/** Milliseconds between two looks at what other processes have written. */
const LOOK = 2_000;

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

/** The sessions that the page has open, and the list of all. */
export class OpenSessions {
  readonly host: WebHost;
  readonly #sessions = new Map<string, Promise<WebSession>>();
  /** Those of them that are ready. */
  readonly #ready = new Map<string, WebSession>();
  readonly #onChange: (session: WebSession | undefined) => void;
  #listed: readonly WireListed[] = [];
  /** What was read of a session, as long as the store does not change it. */
  #known = new Map<string, ListedSession>();
  #home: WireHome = { sessions: [], waiting: [] };
  #looking: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  /** The ids of those that were removed here. */
  readonly #removed = new Set<string>();
  /** Where new sessions work. */
  readonly #folder: string;

  /** `onChange` is called with the session that has changed; undefined: what is the same for all. */
  constructor(host: WebHost, folder: string, onChange: (session: WebSession | undefined) => void) {
    this.host = host;
    this.#folder = folder;
    this.#onChange = onChange;
    this.#timer = setInterval(() => void this.look(), LOOK).unref();
  }

  /** What is the same for all sessions. It stays the same object while nothing has changed. */
  get home(): WireHome {
    return this.#home;
  }

  /** Those that are open and ready. */
  get all(): readonly WebSession[] {
    return [...this.#ready.values()];
  }

  /** Opens a new session in a folder. */
  create(folder: string = this.#folder, id: string = randomUUID()): Promise<WebSession> {
    return this.#open({ id, folder, isStored: false });
  }

  /** A session that is open, or else one of the store. Rejects with `gone` if there is none. */
  async get(id: string): Promise<WebSession> {
    const open = this.#sessions.get(id);
    if (open) return open;
    const record = await this.host.store.get(id);
    if (record?.parent !== undefined || (!record && (this.#removed.has(id) || !UUID.test(id))))
      throw gone('This session is not there any more.', 'Choose another one, or begin one.');
    const folder = record?.folder ?? this.#folder;
    // It may have been opened meanwhile. One that the store does not have is of a page that outlived its server.
    return this.#sessions.get(id) ?? this.#open({ id, folder, isStored: record !== undefined });
  }

  #open(place: SessionPlace): Promise<WebSession> {
    let session: WebSession | undefined;
    const changed = () => {
      this.#refresh();
      if (session) this.#onChange(session);
      // Its first message has just put it into the store.
      const isNew = !this.#listed.some(({ id }) => id === place.id);
      if (isNew && session?.opened.conversation.session) void this.look();
    };
    const opening = WebSession.open(this.host, place, changed).then((opened) => {
      session = opened;
      this.#ready.set(place.id, opened);
      changed();
      void this.look();
      return opened;
    });
    this.#sessions.set(place.id, opening);
    opening.catch(() => this.#sessions.delete(place.id));
    return opening;
  }

  /** Closes a session and opens it again, so that it reads its configuration. */
  async reopen(id: string): Promise<WebSession> {
    const { place } = await this.get(id);
    await this.end(id);
    const isStored = (await this.host.store.get(id)) !== undefined;
    return this.#open({ ...place, isStored });
  }

  /** Removes a session and those of its subagents. Rejects while a turn of it runs. */
  async remove(id: string): Promise<void> {
    if (this.#ready.get(id)?.opened.conversation.state === 'running')
      throw refused('session-busy', 'A turn of this session runs.', 'Cancel it first.');
    await this.end(id);
    await this.host.store.remove(id);
    this.#removed.add(id);
    await this.look();
  }

  /** Closes a session, if it is open. */
  async end(id: string): Promise<void> {
    const session = await this.#sessions.get(id)?.catch(() => undefined);
    this.#sessions.delete(id);
    this.#ready.delete(id);
    await session?.close();
    this.#refresh();
  }

  /** Closes all. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.allSettled([...this.#sessions.keys()].map((id) => this.end(id)));
  }

  /** Looks at the list of sessions now. */
  look(): Promise<void> {
    this.#looking ??= this.#lookOnce()
      .catch((error) => this.host.context.terminal.note(this.host.keys.hide(String(error))))
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    const { store } = this.host;
    const known = new Map<string, ListedSession>();
    for (const record of await store.list({ limit: MOST })) {
      const { id, seq, title, changedAt } = record;
      const key = JSON.stringify([id, seq, title, changedAt, await store.holder(id)]);
      known.set(key, this.#known.get(key) ?? (await listedSession(store, record)));
    }
    this.#known = known;
    this.#listed = [...known.values()].map((one) => this.listed(one));
    this.#refresh();
  }

  /** A session of the store, for the list. */
  listed({ id, title = '', changedAt, state, folder = '' }: ListedSession): WireListed {
    const isOpen = this.#sessions.has(id);
    const words = stateText(state, hostname());
    return this.host.keys.redacted({ id, title, changedAt, state: words, isOpen, folder });
  }

  /** Sets what waits and what is listed. Tells so if it has changed. */
  #refresh(): void {
    const waiting = this.all.flatMap(({ id, questions }) =>
      questions.open.map((question) => ({
        session: id,
        title: this.#listed.find((one) => one.id === id)?.title ?? '',
        ...{ question: question.id, text: question.text },
      })),
    );
    const sessions = this.#listed.map((one) => ({ ...one, isOpen: this.#sessions.has(one.id) }));
    const home = this.host.keys.redacted({ sessions, waiting });
    if (JSON.stringify(home) === JSON.stringify(this.#home)) return;
    this.#home = home;
    this.#onChange(undefined);
  }
}
