import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isAbsolute } from 'node:path';
import type {
  ListSessionsRequest,
  ListSessionsResponse,
  McpServer,
  NewSessionRequest,
  ResumeSessionRequest,
} from '@agentclientprotocol/sdk';
import {
  forkSession,
  openSession,
  type SessionRecord,
  type SessionStore,
} from '@toolfold/agent/internal/sessions';
import * as z from '@toolfold/config/internal/schemas.ts';
import { parsedJson } from '@toolfold/core/internal/values';
import { newTitle, titleOf } from '../stored-sessions/index.ts';
import { realPath } from '../terminal/index.ts';
import { EditorSession } from './editor-session.ts';
import type { Host } from './outlet.ts';
import { invalidParams, notNow, unknownSession } from './refusals.ts';

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

/** Most sessions of one answer. */
const PAGE = 50;

/**
 * One page of the sessions in the store, the last changed first. Those without a folder are left out: the
 * protocol needs one. Throws an invalid parameter for a cursor that is not of this agent.
 */
export async function listSessions(
  store: SessionStore,
  { cwd, cursor }: ListSessionsRequest,
): Promise<ListSessionsResponse> {
  const all = await store.list(cwd ? { folder: realPath(cwd) } : {});
  const listed = all.filter(({ folder }) => folder !== undefined && isAbsolute(folder));
  const rest = cursor ? behind(listed, cursor) : listed;
  const page = rest.slice(0, PAGE);
  const sessions: ListSessionsResponse['sessions'] = [];
  for (const record of page) {
    const title = await titleOf(store, record);
    sessions.push({
      sessionId: record.id,
      cwd: record.folder ?? '',
      updatedAt: new Date(record.changedAt).toISOString(),
      ...(title === '' ? {} : { title }),
    });
  }
  const last = page.at(-1);
  return last && rest.length > page.length
    ? { sessions, nextCursor: cursorOf(last) }
    : { sessions };
}

/** When the last session of a page was changed, and its id. */
function cursorOf({ changedAt, id }: SessionRecord): string {
  return Buffer.from(JSON.stringify([changedAt, id])).toString('base64url');
}

/** The sessions behind a page. If its last one was changed or removed since, those that were changed before it. */
function behind(listed: readonly SessionRecord[], cursor: string): readonly SessionRecord[] {
  const [changedAt, id] = [parsedJson(Buffer.from(cursor, 'base64url').toString())].flat();
  if (typeof changedAt !== 'number' || typeof id !== 'string')
    throw invalidParams(
      'The cursor is not one of this agent. Leave it out to begin with the first page.',
    );
  const at = listed.findIndex((record) => record.id === id && record.changedAt === changedAt);
  return at >= 0 ? listed.slice(at + 1) : listed.filter((record) => record.changedAt < changedAt);
}

/** Methods that version 1 of the protocol has as unstable. The stable SDK knows neither them nor their parameters. */
export const UNSTABLE = { fork: 'session/fork', setTitle: 'session/set_title' } as const;

/** What says that they are offered. */
export const UNSTABLE_CAPABILITIES: { readonly fork: object; readonly title: object } = {
  fork: {},
  title: {},
};

/** A session that begins like another one. */
interface ForkRequest {
  readonly sessionId: string;
  readonly cwd: string;
  readonly mcpServers?: McpServer[] | undefined;
}

const NAMED = z.array(z.object({ name: z.string(), value: z.string() }));
const SERVER = z.union([
  z.object({ type: z.enum(['http', 'sse']), name: z.string(), url: z.string(), headers: NAMED }),
  z.object({ name: z.string(), command: z.string(), args: z.array(z.string()), env: NAMED }),
]);

/** The parameters of `session/fork`. Throws an invalid parameter. */
export const forkRequest: (params: unknown) => ForkRequest = parser(
  z.object({
    ...{ sessionId: z.string(), cwd: z.string() },
    mcpServers: z.optional(z.array(SERVER)),
  }),
  'Expected: "sessionId", "cwd" and the servers of the editor, "mcpServers".',
);

/** The parameters of `session/set_title`. Throws an invalid parameter. */
export const titleRequest: (params: unknown) => {
  readonly sessionId: string;
  readonly title: string;
} = parser(
  z.object({ sessionId: z.string(), title: z.string() }),
  'Expected: "sessionId" and a "title", which is a text.',
);

function parser<T>(schema: z.ZodMiniType<T>, expected: string): (params: unknown) => T {
  return (params) => {
    const { success, data } = schema.safeParse(params);
    if (success) return data;
    throw invalidParams(expected);
  };
}
