import { textOf } from '../../agent/state/index.ts';
import type { SessionStore } from '../../sessions/index.ts';
import { ownProperty } from '../../tools/values/index.ts';
import { harmlessInput } from '../input/index.ts';

/** Sessions whose messages are offered again, and most messages. */
const SESSIONS = 20;
const MOST = 500;

/** What the user has written in this folder, the newest first, each once. It is read from the sessions. */
export async function historyOf(store: SessionStore, folder: string): Promise<readonly string[]> {
  const said = new Set<string>();
  for (const { id } of await store.list({ folder, limit: SESSIONS })) {
    const entries = await store.read(id);
    for (const { kind, body } of entries.toReversed()) {
      if (kind !== 'user') continue;
      const message = ownProperty(body, 'message') as Parameters<typeof textOf>[0];
      const text = harmlessInput(textOf(message)).trim();
      if (text !== '') said.add(text);
      if (said.size >= MOST) return [...said];
    }
  }
  return [...said];
}
