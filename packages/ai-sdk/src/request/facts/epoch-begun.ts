import type { ToolRequest } from '@toolfold/core/internal/tools/calls';

/** An epoch that begins with a request. */
export interface EpochBegun {
  readonly strategy: string;
  /** Why it begins. */
  readonly reason: string;
  /** A hash of what it freezes. */
  readonly fingerprint: string;
}

/** The epoch that begins with this request; undefined if an epoch continues. `refused`: why the endpoint refused appended tools. */
export function epochBegun(turn: ToolRequest, refused: string | undefined): EpochBegun | undefined {
  const { presentation, conversation } = turn;
  const next = presentation.note?.epoch;
  if (!next) return;
  const { strategy, fingerprint } = next;
  const before = conversation.epoch;
  const reason = () => {
    if (refused !== undefined) return `the endpoint refused tools in mid-conversation: ${refused}`;
    if (!before) return turn.reason;
    if (before.scope !== next.scope) return 'the role or the model changed';
    if (before.strategy !== strategy) return `the strategy changed from ${before.strategy}`;
    return 'the tools changed';
  };
  return { strategy, reason: reason(), fingerprint };
}
