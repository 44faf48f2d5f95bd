import { errorMessage } from '@toolfold/core/internal/errors.ts';
import type { DeferredToolGroup } from '@toolfold/core/internal/tool';
import { redact } from '../redact.ts';
import { notUsable, type ServerConnection, toGroup, toUnavailableGroup } from '../server/index.ts';
import type { Failure } from '../transport/index.ts';
import type { ServerPool, ServerSession } from './contract.ts';

/** A connection with its group, which is made again only when it differs. */
export class Member {
  readonly connection: ServerConnection;
  isTrusted: boolean;
  #version = '';
  /** Lists of resources and prompts, which are replaced when they change. */
  #others: object | undefined;
  #group: DeferredToolGroup | undefined;

  constructor(connection: ServerConnection, isTrusted: boolean) {
    this.connection = connection;
    this.isTrusted = isTrusted;
    this.refresh();
  }

  get group(): DeferredToolGroup {
    this.#group ??= groupOf(this.connection, this.isTrusted);
    return this.#group;
  }

  /** Returns whether the group differs from the one before. */
  refresh(): boolean {
    const { manifest, state } = this.connection;
    const problem =
      state.kind === 'needs-auth' || (manifest === undefined && state.kind === 'failed')
        ? [state.reason, state.remedy]
        : [manifest === undefined && state.kind === 'closed'];
    const version = JSON.stringify([manifest?.fingerprint, this.isTrusted, problem]);
    if (version === this.#version && manifest?.others === this.#others) return false;
    this.#version = version;
    this.#others = manifest?.others;
    this.#group = undefined;
    return true;
  }
}

/**
 * The group of a server as it is known now. If nothing was ever listed, the group is unavailable, and
 * loading it starts the server.
 */
function groupOf(connection: ServerConnection, trusted: boolean): DeferredToolGroup {
  const { name, entry, manifest, state } = connection;
  if (manifest === undefined) return startingGroup(connection, trusted);
  try {
    const group = toGroup(name, manifest.listing, {
      callTool: (tool, input, options) => connection.callTool(tool, input, options),
      trusted,
      fingerprint: manifest.fingerprint,
    });
    if (state.kind !== 'needs-auth') return group;
    const { reason, remedy } = state;
    return { ...group, unavailable: { reason, remedy } };
  } catch (error) {
    const secrets = entry.kind === 'unusable' ? [] : entry.secrets;
    return toUnavailableGroup(name, {
      reason: `its list of tools cannot be used (${redact(errorMessage(error), secrets)})`,
      remedy: 'Report it to the maker of the server, or remove its entry.',
    });
  }
}

function problemOf({ state }: ServerConnection): Failure {
  if (state.kind === 'failed' || state.kind === 'needs-auth') return state;
  return state.kind === 'closed'
    ? { reason: 'its connection was closed', remedy: 'Connect again.' }
    : { reason: 'it is still starting', remedy: 'Load it to wait for it.' };
}

function startingGroup(connection: ServerConnection, trusted: boolean): DeferredToolGroup {
  return {
    ...toUnavailableGroup(connection.name, problemOf(connection)),
    loader: async ({ signal }) => {
      const state = await connection.start(signal);
      if (state.kind === 'ready') return groupOf(connection, trusted).loader({ signal });
      throw notUsable(connection.name, problemOf(connection));
    },
  };
}

/** Listeners of changes. Several changes at once are one call. */
export class Listeners {
  readonly #listeners = new Set<() => void>();
  #isCalling = false;

  /** Returns a function that removes the listener. */
  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  call(): void {
    if (this.#isCalling) return;
    this.#isCalling = true;
    queueMicrotask(() => {
      this.#isCalling = false;
      for (const listener of this.#listeners) listener();
    });
  }
}

/** Work that is under way. */
export class PendingWork {
  readonly #promises = new Set<Promise<unknown>>();

  add(work: Promise<unknown>): void {
    const promise = work.finally(() => this.#promises.delete(promise));
    this.#promises.add(promise);
  }

  async end(): Promise<void> {
    await Promise.all(this.#promises);
  }
}

/** Makes the session's own connection to a server; `undefined` for servers that sessions share. */
type ConnectOwn = (server: string) =>
  | {
      readonly isTrusted: boolean;
      readonly connect: (onChange: () => void) => ServerConnection;
    }
  | undefined;

/** The shared servers of a pool, and the session's own ones, which start with their first call. */
export function poolSession(
  pool: ServerPool,
  connectOwn: ConnectOwn,
  onClose: () => void,
): ServerSession {
  const members = new Map<string, Member>();
  const listeners = new Listeners();
  const ending = new PendingWork();
  let isClosed = false;

  const member = (server: string): Member | undefined => {
    const known = members.get(server);
    const own = connectOwn(server);
    if (known && own && known.connection.entry === pool.connection(server)?.entry) {
      known.isTrusted = own.isTrusted;
      known.refresh();
      return known;
    }
    if (known) ending.add(known.connection.close());
    members.delete(server);
    if (own === undefined) return;
    const connection = own.connect(() => {
      if (members.get(server)?.refresh()) listeners.call();
    });
    const made = new Member(connection, own.isTrusted);
    members.set(server, made);
    if (isClosed) ending.add(connection.close());
    return made;
  };
  const unfollow = pool.onChange(() => {
    // Ends the own connections of servers that were removed or replaced.
    for (const server of [...members.keys()]) member(server);
    listeners.call();
  });
  const close = async (): Promise<void> => {
    isClosed = true;
    unfollow();
    for (const { connection } of members.values()) ending.add(connection.close());
    await ending.end();
    onClose();
  };
  return {
    get groups() {
      const shared = pool.groups;
      return pool.connections.map(({ name }, index) => {
        const group = member(name)?.group ?? shared[index];
        if (group === undefined) throw new Error(`no group of ${name}`);
        return group;
      });
    },
    connection: (server) => member(server)?.connection ?? pool.connection(server),
    onChange: (listener) => listeners.add(listener),
    close,
    [Symbol.asyncDispose]: close,
  };
}
