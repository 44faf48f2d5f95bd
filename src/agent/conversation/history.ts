import type { ModelMessage } from 'ai';
import { ToolfoldError } from '../../errors.ts';
import type { AgentEvent, ApprovalAnswer, PendingApproval } from '../events/index.ts';
import { beforeAnswer } from './broken-off.ts';
import { textOf } from './message-text.ts';

/** Whether tools, or Toolfold itself, have had a part in the conversation. */
export function hasTools(messages: readonly ModelMessage[]): boolean {
  return messages.some(
    ({ role, content }) =>
      role === 'tool' ||
      (role === 'assistant' &&
        typeof content !== 'string' &&
        content.some(({ type }) => type === 'tool-call' || type === 'custom')),
  );
}

/** What was said, without calls, results and files. */
export function textsOf(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.flatMap((message): ModelMessage[] => {
    const { role } = message;
    if (role !== 'user' && role !== 'assistant') return [];
    const content = textOf(message);
    return content === '' ? [] : [{ role, content }];
  });
}

/** Answers to approvals, as the SDK keeps them. */
export function answered(answers: Readonly<Record<string, ApprovalAnswer>>): ModelMessage[] {
  const content = Object.entries(answers).map(([approvalId, { approved, reason }]) => ({
    type: 'tool-approval-response' as const,
    approvalId,
    approved,
    ...(reason === undefined ? {} : { reason }),
  }));
  return content.length > 0 ? [{ role: 'tool', content }] : [];
}

/** A call without a result. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** Calls without a result. */
export function openCalls(messages: readonly ModelMessage[]): OpenCall[] {
  const open = new Map<string, OpenCall>();
  for (const { role, content } of messages) {
    if (typeof content === 'string') continue;
    for (const part of content) {
      if (part.type === 'tool-result') open.delete(part.toolCallId);
      if (role !== 'assistant' || part.type !== 'tool-call' || part.providerExecuted) continue;
      const { toolCallId: id, toolName: name, input } = part;
      open.set(id, { id, name, input });
    }
  }
  return [...open.values()];
}

/** Approvals that a conversation waits for: asked for, not answered, and their calls without a result. */
export function pendingIn(messages: readonly ModelMessage[]): PendingApproval[] {
  const open = new Map(openCalls(messages).map((call) => [call.id, call]));
  const pending = new Map<string, PendingApproval>();
  for (const { content } of messages) {
    for (const part of typeof content === 'string' ? [] : content) {
      if (part.type === 'tool-approval-response') pending.delete(part.approvalId);
      if (part.type !== 'tool-approval-request' || part.isAutomatic) continue;
      const call = open.get(part.toolCallId);
      if (!call) continue;
      const { approvalId } = part;
      const { id, name, input } = call;
      pending.set(approvalId, { type: 'approval', approvalId, id, name, arguments: input });
    }
  }
  return [...pending.values()];
}

/** Messages, and what is to be told of calls that were closed in them. */
export interface Closed {
  readonly messages: ModelMessage[];
  readonly failures: readonly Extract<AgentEvent, { type: 'failure' }>[];
}

/** Why a call is closed that was left open: who goes on has refused. */
export const NOT_APPROVED = 'It was not run: the user went on before it was approved or could run.';

/** Why a call is closed whose answer the provider ended before its end. */
export const CUT_OFF = 'It was not run: the answer ended before it could be.';

/** Closes what was left open, for no call may stay without a result. `waiting`: calls that are to run yet. */
export function closed(
  messages: readonly ModelMessage[],
  reason: string,
  waiting: ReadonlySet<string> = new Set(),
): Closed {
  const open = openCalls(messages).filter(({ id }) => !waiting.has(id));
  if (open.length === 0) return { messages: [...messages], failures: [] };
  const content = open.map(({ id, name }) => ({
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: name,
    output: { type: 'execution-denied' as const, reason },
  }));
  const failures = open.map(({ id, name }) => {
    return { type: 'failure' as const, id, name, error: reason };
  });
  const last = messages.at(-1);
  // The SDK runs approved calls only where the last message says so.
  if (waiting.size === 0 || last?.role !== 'tool')
    return { messages: [...messages, { role: 'tool', content }], failures };
  const answered = { ...last, content: [...content, ...last.content] };
  return { messages: [...messages.slice(0, -1), answered], failures };
}

/** Calls whose approvals the last message answers: they run next. */
export function answeredCalls(messages: readonly ModelMessage[]): ReadonlySet<string> {
  const last = messages.at(-1);
  const content = last?.role === 'tool' ? last.content : [];
  const answers = new Set(
    content.flatMap((part) => (part.type === 'tool-approval-response' ? [part.approvalId] : [])),
  );
  const calls = new Set<string>();
  for (const message of messages) {
    for (const part of typeof message.content === 'string' ? [] : message.content)
      if (part.type === 'tool-approval-request' && answers.has(part.approvalId))
        calls.add(part.toolCallId);
  }
  return calls;
}

/**
 * The messages that a turn without new words of the user's goes on from: without the place of an answer
 * that broke off, and with a result for each call. Throws `invalid-option` where there is nothing to go
 * on with, or where the user has to answer first: `waiting`.
 */
export function resumable(
  messages: readonly ModelMessage[],
  waiting: readonly PendingApproval[],
): Closed {
  if (waiting.length > 0)
    refuseToResume('Approvals are pending.', 'Answer them: agent.answer({ [approvalId]: … }).');
  const begun = beforeAnswer(messages);
  const last = begun.at(-1);
  const isOpen = openCalls(begun).length > 0;
  if (last?.role !== 'user' && last?.role !== 'tool' && !isOpen)
    refuseToResume('There is no turn to go on with.', 'Say something: agent.send(text).');
  const pending = pendingIn(begun).map(({ id }) => id);
  return closed(begun, NOT_APPROVED, new Set([...pending, ...answeredCalls(begun)]));
}

function refuseToResume(message: string, hint: string): never {
  throw new ToolfoldError('invalid-option', message, hint);
}
