import type { InboxMessage, PostedMessage } from '../../sessions/index.ts';
import type { ElicitationAnswer, FormValue } from '../../tools/tool/index.ts';
import { isRecord, type JsonObject, pick } from '../../tools/values/index.ts';
import { isAnswer } from '../approvals/index.ts';
import { plainValue, type UnknownChoice } from '../entries/index.ts';
import type { ApprovalAnswer } from '../events/index.ts';
import type { RemoteAnswers } from './remote-answers.ts';

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
  /** Ends the turn. */
  readonly cancel: Readonly<Record<string, never>>;
  /** Cancels one subagent by its name, at any level. */
  readonly 'cancel-subagent': { readonly child: string };
};

/** Answers of other processes to the questions of an agent. Those to approvals are shared with its subagents. */
export type Remote = { readonly [KIND in keyof Answers]: RemoteAnswers<Answers[KIND]> };

/** A new message for `store.post`. Each has an id of its own. */
export function inboxMessage<KIND extends InboxMessage['kind']>(
  kind: KIND,
  body: InboxBodies[KIND],
): InboxMessage {
  return { id: globalThis.crypto.randomUUID(), kind, body: plainValue(body) as JsonObject };
}

interface Holder {
  readonly remote: Remote;
  readonly team: { cancel(child: string): Promise<boolean> } | undefined;
}

/** Does what a message of another process asks for. What is malformed or not known is ignored. */
export function takeMessage(
  { kind, body, at }: PostedMessage,
  { remote, team }: Holder,
  stop: () => void,
): void {
  if (!isRecord(body)) return;
  if (kind === 'cancel') stop();
  else if (kind === 'cancel-subagent') {
    if (typeof body.child === 'string') void team?.cancel(body.child).catch(() => {});
  } else if (Object.hasOwn(READ, kind)) {
    for (const [id, value] of Object.entries(body)) {
      const answer = READ[kind](value);
      if (answer !== undefined) remote[kind].give(id, answer as never, at);
    }
  }
}

/**
 * How the answers are read. Messages may come from any version of any program: each function takes over what it knows,
 * and returns undefined for what is no answer.
 */
const READ: { readonly [KIND in keyof Answers]: (value: unknown) => Answers[KIND] | undefined } = {
  answer(value) {
    if (!isAnswer(value)) return;
    const { scope, reason } = value;
    if (![undefined, 'once', 'session', 'always'].includes(scope) || !isText(reason)) return;
    return pick(value, 'approved', 'scope', 'reason');
  },
  form(value) {
    if (!isRecord(value)) return;
    const { action, content } = value;
    if (action === 'decline' || action === 'cancel') return { action };
    if (action !== 'accept') return;
    if (content === undefined) return { action };
    return isForm(content) ? { action, content } : undefined;
  },
  unknown(value) {
    if (!isRecord(value)) return;
    const { choice, note } = value;
    if (choice !== 'again' && choice !== 'happened' && choice !== 'leave') return;
    if (!isText(note)) return;
    return { choice, ...(note === undefined ? {} : { note }) };
  },
};

function isForm(content: unknown): content is Readonly<Record<string, FormValue>> {
  return (
    isRecord(content) &&
    !Array.isArray(content) &&
    Object.values(content).every((value) =>
      Array.isArray(value)
        ? value.every((one) => typeof one === 'string')
        : ['string', 'number', 'boolean'].includes(typeof value),
    )
  );
}

function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}
