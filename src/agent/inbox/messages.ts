import type { InboxMessage } from '../../sessions/index.ts';
import type { ElicitationAnswer } from '../../tools/tool/index.ts';
import type { JsonObject } from '../../tools/values/index.ts';
import { plainValue, type UnknownChoice } from '../entries/index.ts';
import type { ApprovalAnswer } from '../events/index.ts';

/** What the messages to the process that runs a turn say, by their kind. */
export interface InboxBodies {
  /** Answers to approvals, by approval id. */
  readonly answer: Readonly<Record<string, ApprovalAnswer>>;
  /** Answers to what MCP servers ask, by elicitation id. */
  readonly form: Readonly<Record<string, ElicitationAnswer>>;
  /** Decisions about calls whose outcome is unknown, by the ids that `agent.unknown()` lists. */
  readonly unknown: Readonly<Record<string, UnknownChoice>>;
  /** Ends the turn. */
  readonly cancel: Readonly<Record<string, never>>;
  /** Cancels one subagent by its name, at any level. */
  readonly 'cancel-subagent': { readonly child: string };
}

/** A new message for `store.post`. Each has an id of its own. */
export function inboxMessage<KIND extends InboxMessage['kind']>(
  kind: KIND,
  body: InboxBodies[KIND],
): InboxMessage {
  return { id: globalThis.crypto.randomUUID(), kind, body: plainValue(body) as JsonObject };
}
