import type { DeferredToolGroup } from '../../tools/tool/index.ts';
import type { ServerConnection } from '../server/index.ts';
import type { ServerPool, ServerSession } from './contract.ts';
import { Listeners } from './listeners.ts';
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

  constructor(pool: ServerPool, connectOwn: ConnectOwn, onClose: () => void) {
    this.#pool = pool;
    this.#connectOwn = connectOwn;
    this.#onClose = onClose;
    this.#unfollow = pool.onChange(() => this.#listeners.call());
  }

  get groups(): readonly DeferredToolGroup[] {
    return this.#pool.connections.map(({ name }, index) => {
      const group = this.#member(name)?.group ?? this.#pool.groups[index];
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
    this.#unfollow();
    this.#onClose();
    await Promise.all([...this.#own.values()].map((member) => member.connection.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #member(server: string): Member | undefined {
    const known = this.#own.get(server);
    const shared = this.#pool.connection(server);
    if (known && known.connection.entry === shared?.entry) return known;
    if (known) void known.connection.close();
    this.#own.delete(server);
    const own = this.#connectOwn(server);
    if (own === undefined) return;
    const connection = own.connect(() => {
      if (member.refresh()) this.#listeners.call();
    });
    const member = new Member(connection, own.isTrusted);
    this.#own.set(server, member);
    return member;
  }
}
