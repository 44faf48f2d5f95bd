import { ownProperty } from '@toolfold/core/internal/tools/values';
import type { Shared } from './isolation/index.ts';
import { lowestLevel } from './relay/index.ts';

/** Asks all servers that are ready for the log messages that one of their clients wants. */
export async function tellLevels(shared: Shared): Promise<void> {
  const ready = shared.pool.connections.filter(({ state }) => state.kind === 'ready');
  await Promise.all(ready.map(({ name }) => tellLevel(shared, name)));
}

/** Asks a server for the log messages that one of its clients wants. Each client gets its own. */
export async function tellLevel({ pool, clients }: Shared, server: string): Promise<void> {
  const connection = pool.connection(server);
  const { listing, manifest } = connection ?? {};
  const level = lowestLevel([...clients].map(({ logLevel }) => logLevel));
  const isAble = ownProperty(listing?.capabilities, 'logging') !== undefined;
  // Since 2026-07-28 each request says which messages it wants.
  if (level === undefined || !isAble || manifest?.known?.kind === 'modern') return;
  await connection?.request('logging/setLevel', { level }).catch(() => {});
}
