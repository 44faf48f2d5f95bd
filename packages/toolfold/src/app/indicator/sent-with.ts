import type { Entry } from '@toolfold/agent/internal/sessions';
import { ownProperty } from '@toolfold/core/internal/tools/values';

/** What the requests of a session were last sent with, also by another process. */
export interface SentWith {
  /** `provider/name`. */
  readonly model: string | undefined;
  readonly role: string | undefined;
  /** Tools are off, and requests hold nothing of them. */
  readonly isLeftOut: boolean;
}

/** Undefined for a session that has sent nothing. */
export function sentWith(entries: readonly Entry[]): SentWith | undefined {
  const settings = entries.findLast(({ kind }) => kind === 'settings')?.body;
  if (!settings) return;
  const [model, role] = [ownProperty(settings, 'model'), ownProperty(settings, 'role')];
  const at = entries.findLastIndex(({ kind }) => kind === 'tools');
  const tools = entries[at]?.body;
  // A compaction begins an epoch, which holds nothing of tools that are off.
  const isCompacted = () => entries.findLastIndex(({ kind }) => kind === 'compaction') > at;
  return {
    model: typeof model === 'string' ? model : undefined,
    role: typeof role === 'string' ? role : undefined,
    isLeftOut:
      ownProperty(tools, 'on') === false &&
      (ownProperty(tools, 'leftOut') === true || isCompacted()),
  };
}
