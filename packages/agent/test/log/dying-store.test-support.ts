import type { SessionStore } from '../../src/sessions.ts';

/** A store whose process dies at one point: from then on nothing resolves. */
export function dying(
  store: SessionStore,
  dies: () => boolean,
): SessionStore & { dead: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const never = () => {
    resolve();
    return new Promise<never>(() => {});
  };
  return {
    ...store,
    dead: promise,
    append: async (entries, options) => {
      if (dies()) return never();
      await store.append(entries, options);
      if (dies()) return never();
    },
  };
}

/** Frees the leases of the process that has ended, also those of subagents. */
export async function free(store: SessionStore, session = 's'): Promise<void> {
  const owner = await store.holder(session);
  for (let fence = 1; owner && (await store.holder(session)); fence++)
    await store.release({ session, fence, owner });
  for (const { id } of await store.list({ parent: session })) await free(store, id);
}
