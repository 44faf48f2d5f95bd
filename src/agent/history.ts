import type { ModelMessage } from 'ai';
import type { PendingApproval } from './agent-options.ts';
import type { ApprovalAnswer } from './approvals.ts';
import { textOf } from './narrowing.ts';

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

interface OpenCall {
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

/** Closes what was left open: who goes on has refused, and no call may stay without a result. */
export function closed(messages: readonly ModelMessage[]): ModelMessage[] {
  const content = openCalls(messages).map(({ id, name }) => ({
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: name,
    output: {
      type: 'execution-denied' as const,
      reason: 'It was not run: the user went on before it was approved or could run.',
    },
  }));
  return content.length > 0 ? [...messages, { role: 'tool', content }] : [...messages];
}
