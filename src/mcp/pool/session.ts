import type { DeferredToolGroup } from '../../tools/tool/index.ts';
import type { ServerConnection } from '../server/index.ts';
import type { ServerPool, ServerSession } from './contract.ts';
import { Listeners, Running } from './listeners.ts';
import { Member } from './member.ts';

/** Makes the session's own connection to a server; `undefined` for servers that sessions share. */
export type ConnectOwn = (server: string) =>
  | {
      readonly isTrusted: boolean;
      readonly connect: (onChange: () => void) => ServerConnection;
    }
  | undefined;

/** The shared servers of a pool, and the session's own ones, which start with their first call. */
export class PoolSession implements ServerSession {
  readonly #pool: ServerPool;
  readonly #connectOwn: ConnectOwn;
  readonly #onClose: () => void;
  readonly #own = new Map<string, Member>();
  readonly #listeners = new Listeners();
  readonly #unfollow: () => void;
  readonly #ending = new Running();
  #isClosed = false;

  constructor(pool: ServerPool, connectOwn: ConnectOwn, onClose: () => void) {
    this.#pool = pool;
    this.#connectOwn = connectOwn;
    this.#onClose = onClose;
    this.#unfollow = pool.onChange(() => {
      // Ends the own connections of servers that were removed or replaced.
      for (const server of [...this.#own.keys()]) this.#member(server);
      this.#listeners.call();
    });
  }

  get groups(): readonly DeferredToolGroup[] {
    const shared = this.#pool.groups;
    return this.#pool.connections.map(({ name }, index) => {
      const group = this.#member(name)?.group ?? shared[index];
      if (group === undefined) throw new Error(`no group of ${name}`);
      return group;
    });
  }

  connection(server: string): ServerConnection | undefined {
    return this.#member(server)?.connection ?? this.#pool.connection(server);
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unfollow();
    for (const { connection } of this.#own.values()) this.#ending.add(connection.close());
    await this.#ending.end();
    this.#onClose();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The session's own connection to a server; `undefined` for servers that sessions share. */
  #member(server: string): Member | undefined {
    const known = this.#own.get(server);
    const own = this.#connectOwn(server);
    if (known && own && known.connection.entry === this.#pool.connection(server)?.entry) {
      known.isTrusted = own.isTrusted;
      known.refresh();
      return known;
    }
    if (known) this.#ending.add(known.connection.close());
    this.#own.delete(server);
    if (own === undefined) return;
    const connection = own.connect(() => {
      if (this.#own.get(server)?.refresh()) this.#listeners.call();
    });
    const member = new Member(connection, own.isTrusted);
    this.#own.set(server, member);
    if (this.#isClosed) this.#ending.add(connection.close());
    return member;
  }
}
