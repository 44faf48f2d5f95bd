import { isNotePart } from '@toolfold/ai-sdk/internal/metadata';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { pick } from '@toolfold/core/internal/tools/values';
import type { ModelMessage, ToolApprovalRequest, ToolCallPart } from 'ai';
import type { Kinds } from '../entries/index.ts';
import { type PendingApproval, readAskedBy } from '../events/index.ts';
import { interruptedText } from './broken-off.ts';
import { partsOf, textOf } from './message-parts.ts';

/** Whether the messages hold tool calls, tool results or Toolfold's notes. */
export function hasTools(messages: readonly ModelMessage[]): boolean {
  return messages.some(
    ({ role, content }) =>
      role === 'tool' ||
      (role === 'assistant' &&
        typeof content !== 'string' &&
        content.some((part) => part.type === 'tool-call' || isNotePart(part))),
  );
}

/** What user and assistant have said, without calls and results. */
export function textsOf(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.flatMap((message): ModelMessage[] => {
    const { role } = message;
    if (role === 'user') return [message];
    if (role !== 'assistant') return [];
    const content = textOf(message);
    return content === '' ? [] : [{ role, content }];
  });
}

/** A call without a result. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** What the provider and Toolfold have noted at the call. Its result gets the same. */
  readonly options?: ToolCallPart['providerOptions'];
}

/** Calls without a result. */
export function openCalls(messages: readonly ModelMessage[]): OpenCall[] {
  const open = new Map<string, OpenCall>();
  for (const part of partsOf(messages)) {
    if (part.type === 'tool-result') open.delete(part.toolCallId);
    if (part.type !== 'tool-call' || part.providerExecuted) continue;
    const { toolCallId: id, toolName: name, input, providerOptions: options } = part;
    open.set(id, { id, name, input, ...(options ? { options } : {}) });
  }
  return [...open.values()];
}

/** The event of a question, as its entry says. */
export function askedEvent(question: Kinds['approval']): PendingApproval {
  const { approvalId, id, name, arguments: given } = question;
  const shown = pick(question, 'reason', 'changes');
  return {
    ...{ type: 'approval', approvalId, id, name, arguments: given },
    ...shown,
    ...readAskedBy(question),
  };
}

/**
 * Approvals that a conversation waits for: requested, not answered, and the call has no result. Messages do
 * not say who has asked.
 */
export function pendingIn(messages: readonly ModelMessage[]): PendingApproval[] {
  const open = new Map(openCalls(messages).map((call) => [call.id, call]));
  const pending = new Map<string, PendingApproval>();
  for (const part of partsOf(messages)) {
    if (part.type === 'tool-approval-response') pending.delete(part.approvalId);
    if (part.type !== 'tool-approval-request' || part.isAutomatic) continue;
    const call = open.get(part.toolCallId);
    if (!call) continue;
    const { approvalId } = part;
    const { id, name, input } = call;
    pending.set(approvalId, askedEvent({ approvalId, id, name, arguments: input }));
  }
  return [...pending.values()];
}

/** The approvals that messages ask for. */
const requestsIn = (messages: readonly ModelMessage[]): ToolApprovalRequest[] =>
  partsOf(messages).filter((part) => part.type === 'tool-approval-request');

/** The messages without answers to approvals of calls that have no result. */
export function withoutOpenAnswers(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const open = new Set(openCalls(messages).map(({ id }) => id));
  const requests = requestsIn(messages).filter(({ toolCallId }) => open.has(toolCallId));
  const asked = new Set(requests.map(({ approvalId }) => approvalId));
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role !== 'tool') return [message];
    const content = message.content.filter(
      (part) => part.type !== 'tool-approval-response' || !asked.has(part.approvalId),
    );
    if (content.length === message.content.length) return [message];
    return content.length > 0 ? [{ ...message, content }] : [];
  });
}

/** The reason of an open call when the turn continues without an answer to its approval. */
export const NOT_APPROVED =
  'The call was not run: the user continued before it was approved or could run.';

/** The reason of a call that did not run because the provider ended the answer early. */
export const CUT_OFF = 'The call was not run: the answer ended too early.';

/** Ids of calls whose approvals the last message answers. They run next. */
export function answeredCalls(messages: readonly ModelMessage[]): ReadonlySet<string> {
  const last = partsOf(messages.slice(-1)).filter((part) => part.type === 'tool-approval-response');
  const answers = new Set(last.map(({ approvalId }) => approvalId));
  if (answers.size === 0) return answers;
  const requests = requestsIn(messages).filter(({ approvalId }) => answers.has(approvalId));
  return new Set(requests.map(({ toolCallId }) => toolCallId));
}

/**
 * Throws `invalid-option` if a turn with these messages cannot go on without a new message of the user, or if
 * `waiting` holds approvals that the user must answer first.
 */
export function checkResumable(
  messages: readonly ModelMessage[],
  waiting: readonly PendingApproval[],
): void {
  if (waiting.length > 0)
    refuseToResume('Approvals are pending.', 'Answer them: agent.answer({ [approvalId]: … }).');
  const last = messages.at(-1);
  const isOpen = openCalls(messages).length > 0 || interruptedText(last) !== undefined;
  if (last?.role !== 'user' && last?.role !== 'tool' && !isOpen)
    refuseToResume('There is no turn to resume.', 'Start a new turn: agent.send(text).');
}

function refuseToResume(message: string, hint: string): never {
  throw new ToolfoldError('invalid-option', message, hint);
}
