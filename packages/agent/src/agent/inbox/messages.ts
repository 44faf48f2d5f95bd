import * as z from '@toolfold/config/internal/config/schemas';
import type { ElicitationAnswer } from '@toolfold/core/internal/tools/tool';
import { isRecord, type JsonObject } from '@toolfold/core/internal/tools/values';
import type { InboxMessage, PostedMessage } from '../../sessions/index.ts';
import { plainValue, type UnknownChoice } from '../entries/index.ts';
import type { ApprovalAnswer } from '../events/index.ts';
import type { RemoteAnswers } from './remote-answers.ts';
import type { SteeringQueue, When } from './steering.ts';

/** The answers that another process may give, by the kind of their message. */
interface Answers {
  /** Answers to approvals, by approval id. */
  readonly answer: ApprovalAnswer;
  /** Answers to what MCP servers ask, by elicitation id. */
  readonly form: ElicitationAnswer;
  /** Decisions about calls whose outcome is unknown, by the ids that `agent.unknown()` lists. */
  readonly unknown: UnknownChoice;
}

/** What the messages to the process that runs a turn say, by their kind. */
export type InboxBodies = {
  readonly [KIND in keyof Answers]: Readonly<Record<string, Answers[KIND]>>;
} & {
  /** A message of the user. The id of the inbox message is the id of this one. */
  readonly user: { readonly text: string; readonly when: When };
  /** Ends the turn. */
  readonly cancel: Readonly<Record<string, never>>;
  /** Cancels one subagent by its name, at any level. */
  readonly 'cancel-subagent': { readonly child: string };
};

/** Answers of other processes to the questions of an agent. Those to approvals are shared with its subagents. */
export type Remote = { readonly [KIND in keyof Answers]: RemoteAnswers<Answers[KIND]> };

/** A new message for `store.post`. Each has an id of its own, unless its caller gives one. */
export function inboxMessage<KIND extends InboxMessage['kind']>(
  kind: KIND,
  body: InboxBodies[KIND],
  id: string = globalThis.crypto.randomUUID(),
): InboxMessage {
  return { id, kind, body: plainValue(body) as JsonObject };
}

interface Holder {
  readonly remote: Remote;
  readonly steering: SteeringQueue;
  readonly team: { cancel(child: string): Promise<boolean> } | undefined;
}

/** Does what a message of another process asks for; `stop`: to cancel the turn. What is malformed or not known is ignored. */
export function takeMessage(
  posted: PostedMessage,
  { remote, steering, team }: Holder,
  stop: () => void,
): void {
  const { id, kind, body, at } = posted;
  if (!isRecord(body)) return;
  if (kind === 'cancel') stop();
  else if (kind === 'user') {
    const given = readUserMessage(posted);
    const message = { role: 'user' as const, content: given?.text ?? '' };
    if (given) void steering.add({ id, message, when: given.when, posted: at });
  } else if (kind === 'cancel-subagent') {
    if (typeof body.child === 'string') void team?.cancel(body.child).catch(() => {});
  } else if (Object.hasOwn(READ, kind)) {
    for (const [question, value] of Object.entries(body)) {
      const answer = READ[kind].safeParse(value);
      if (answer.success) remote[kind].give(question, answer.data as never, at);
    }
  }
}

/** A message of the user. Undefined for another one, and for what is no message. */
export function readUserMessage({
  id,
  kind,
  body,
}: PostedMessage): InboxBodies['user'] | undefined {
  if (kind !== 'user' || id === '' || id.length > MAX_ID) return;
  const read = USER_MESSAGE.safeParse(body);
  return read.success && read.data.text.trim() !== '' ? read.data : undefined;
}

/** Most characters of the id of a message of the user. */
export const MAX_ID = 200;

const USER_MESSAGE: z.ZodMiniType<InboxBodies['user']> = z.object({
  text: z.string(),
  when: z.enum(['now', 'after']),
});

/** How the answers are read. Messages may come from any version of any program: each schema takes over what it knows. */
const READ: { readonly [KIND in keyof Answers]: z.ZodMiniType<Answers[KIND]> } = {
  answer: z.object({
    approved: z.boolean(),
    scope: z.optional(z.enum(['once', 'session', 'always'])),
    reason: z.optional(z.string()),
    tools: z.optional(z.record(z.string(), z.string())),
  }),
  form: z.union([
    z.object({ action: z.enum(['decline', 'cancel']) }),
    z.object({
      action: z.literal('accept'),
      content: z.optional(
        z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
      ),
    }),
  ]),
  unknown: z.object({
    choice: z.enum(['again', 'happened', 'leave']),
    note: z.optional(z.string()),
  }),
};
