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
export function poolSession(
  pool: ServerPool,
  connectOwn: ConnectOwn,
  onClose: () => void,
): ServerSession {
  const members = new Map<string, Member>();
  const listeners = new Listeners();
  const ending = new Running();
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
