import type { Asker } from '../../host/index.ts';
import { ownProperty } from '../../tools/values/index.ts';

/** Who requires the user's approval of a call, as events, entries and questions carry it. */
export interface AskedBy {
  readonly askedBy: 'hook' | 'setting';
  /** The key of a hook's question. */
  readonly askKey?: string;
}

export function askedByOf(asker: Asker): AskedBy {
  if (asker.by === 'setting') return { askedBy: 'setting' };
  return { askedBy: 'hook', ...(asker.key === undefined ? {} : { askKey: asker.key }) };
}

/**
 * Reads who has asked from an entry or from another process. What does not say it counts as the question of
 * a hook without a key: only the user may answer, and only for this call.
 */
export function readAskedBy(given: unknown): AskedBy {
  if (ownProperty(given, 'askedBy') === 'setting') return { askedBy: 'setting' };
  const key = ownProperty(given, 'askKey');
  return { askedBy: 'hook', ...(typeof key === 'string' ? { askKey: key } : {}) };
}
