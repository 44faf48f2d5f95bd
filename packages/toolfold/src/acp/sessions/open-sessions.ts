import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isAbsolute } from 'node:path';
import type { NewSessionRequest, ResumeSessionRequest } from '@agentclientprotocol/sdk';
import { forkSession, openSession } from '@toolfold/agent/internal/sessions';
import { newTitle } from '../../app/sessions/index.ts';
import { invalidParams, notNow, unknownSession } from '../refusals/index.ts';
import { EditorSession } from './editor-session.ts';
import type { Host } from './host.ts';
import type { ForkRequest } from './unstable.ts';

/** The sessions that are open in this process. */
export class OpenSessions {
  readonly host: Host;
  readonly #sessions = new Map<string, EditorSession>();
  /** Sessions that are being opened, closed or removed. */
  readonly #changing = new Set<string>();

  constructor(host: Host) {
    this.host = host;
  }

  /** An open session. Throws if there is none with this id. */
  get(id: string): EditorSession {
    const session = this.#sessions.get(id);
    if (session) return session;
    throw unknownSession(
      id,
      `The session "${id}" is not open. Open it with session/load or session/resume.`,
    );
  }

  /** Cancels the turn of a session. Does nothing if there is none. */
  cancel(id: string): void {
    this.#sessions.get(id)?.cancel();
  }

  /** Tells the user of each turn that runs what it waits for. */
  tell(text: string): void {
    for (const session of this.#sessions.values()) if (session.isRunning) session.tell(text);
  }

  /** Opens a new session. It is created in the store with its first prompt. */
  create(place: NewSessionRequest): Promise<EditorSession> {
    checkPlace(place);
    const request = { ...place, sessionId: randomUUID() };
    return this.#change(request.sessionId, () => this.#open(request, false));
  }

  /**
   * Opens a session of the store, and sends what was said before if `isShown`. Rejects for an unknown
   * session, and for one that a process writes now.
   */
  reopen(request: ResumeSessionRequest, isShown: boolean): Promise<EditorSession> {
    checkPlace(request);
    const { sessionId: id } = request;
    return this.#change(id, async () => {
      await this.#atRest(id);
      await this.#end(id);
      const session = await this.#open(request, true);
      await session.replay(isShown);
      return session;
    });
  }

  /**
   * Opens a new session that shares what was said in one of the store. Rejects for an unknown session, and while one
   * of its turns runs.
   */
  fork(request: ForkRequest): Promise<EditorSession> {
    checkPlace(request);
    const { store } = this.host;
    return this.#change(request.sessionId, async () => {
      await this.#atRest(request.sessionId);
      const { id } = await forkSession(await openSession(store, request.sessionId));
      try {
        const session = await this.#open({ ...request, sessionId: id }, true);
        await session.replay(false);
        return session;
      } catch (error) {
        await this.#end(id);
        await store.remove(id);
        throw error;
      }
    });
  }

  /** Gives a session of the store another title, also while it is written. Resolves with the title that it has now. */
  async rename(id: string, words: string): Promise<{ readonly title: string }> {
    const { title } = newTitle(words);
    if (title === undefined) throw invalidParams('The "title" has no visible characters.');
    await this.#known(id);
    await this.host.store.rename(id, title);
    await this.#sessions.get(id)?.sendInfo();
    return { title };
  }

  /** Cancels the turn of a session and ends its servers. It stays in the store. */
  close(id: string): Promise<void> {
    this.get(id);
    return this.#change(id, () => this.#end(id));
  }

  /** Removes a session from the store, with those of its subagents. Rejects while a process writes it. */
  remove(id: string): Promise<void> {
    return this.#change(id, async () => {
      const wasOpen = this.#sessions.has(id);
      await this.#end(id);
      const isRemoved = await this.host.store.remove(id);
      if (!isRemoved && !wasOpen) throw unknownSession(id, `There is no session "${id}".`);
    });
  }

  /** Rejects for a session that the store does not list. */
  async #known(id: string): Promise<void> {
    const { store } = this.host;
    const record = await store.get(id);
    if (!record || record.parent !== undefined)
      throw unknownSession(id, `There is no session "${id}" in ${store.name}.`);
  }

  /** Rejects for an unknown session, and for one that a turn here or another process writes now. */
  async #atRest(id: string): Promise<void> {
    if (this.#sessions.get(id)?.isRunning)
      throw notNow('A turn of this session is still running. Cancel it with session/cancel first.');
    await this.#known(id);
    const holder = await this.host.store.holder(id);
    if (!holder) return;
    const where = holder.host === hostname() ? '' : ` on ${holder.host}`;
    throw notNow(
      `The process ${holder.pid}${where} writes this session. Wait until it has ended its turn, or end that process.`,
    );
  }

  /** Closes all sessions. */
  async closeAll(): Promise<void> {
    await Promise.allSettled([...this.#sessions.keys()].map((id) => this.#end(id)));
  }

  /** Ends a session of this process, if it is open. Meanwhile it counts as closed. */
  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.close();
  }

  async #open(request: ResumeSessionRequest, isStored: boolean): Promise<EditorSession> {
    const { signal } = this.host;
    const session = await EditorSession.open(this.host, request, isStored);
    if (signal.aborted) {
      await session.close();
      signal.throwIfAborted();
    }
    this.#sessions.set(session.id, session);
    return session;
  }

  async #change<T>(id: string, change: () => Promise<T>): Promise<T> {
    if (this.#changing.has(id))
      throw notNow('This session is being opened or closed. Wait for that first.');
    this.#changing.add(id);
    try {
      return await change();
    } finally {
      this.#changing.delete(id);
    }
  }
}

function checkPlace({ cwd }: Pick<NewSessionRequest, 'cwd'>): void {
  if (!isAbsolute(cwd)) throw invalidParams('"cwd" must be the absolute path of a folder.');
}
