/** Who requires the user's approval of a call. */
export type Asker =
  /** A hook. `key`: the user's answer may hold for the session, for calls with the same key. */
  | { readonly by: 'hook'; readonly key?: string }
  /** The app's setting, or the tool's own `needsApproval`. */
  | { readonly by: 'setting' };

/** Nobody knows who asked: only the user may answer, and only for this call. */
export const UNKNOWN_ASKER: Asker = { by: 'hook' };

const askers = new WeakMap<object, Asker>();

/** Records who asked about the call with this metadata object. */
export function noteAsker(metadata: object | undefined, asker: Asker): void {
  if (metadata) askers.set(metadata, asker);
}

/** Who asked about the call with this metadata object, as far as this process knows. */
export function askerOf(metadata: object | undefined): Asker {
  return (metadata && askers.get(metadata)) ?? UNKNOWN_ASKER;
}
