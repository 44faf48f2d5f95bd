import { type KeyId, matchesKey } from '@earendil-works/pi-tui';

/** What keys do wherever the cursor is. An action returns whether it has used its key. */
export type KeyActions = Readonly<Partial<Record<KeyId, () => boolean>>>;

/** Does what a key is for. Returns whether it was used. */
export function pressed(data: string, actions: KeyActions): boolean {
  return Object.entries(actions).some(([key, act]) => matchesKey(data, key as KeyId) && act());
}

/** An action that always uses its key. */
export function using(act: () => void): () => boolean {
  return () => {
    act();
    return true;
  };
}
