import type { ModelMessage } from 'ai';
import type { PendingApproval } from './agent-options.ts';
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
export function answered(
  answers: Readonly<Record<string, { readonly approved: boolean; readonly reason?: string }>>,
): ModelMessage[] {
  const content = Object.entries(answers).map(([approvalId, { approved, reason }]) => ({
    type: 'tool-approval-response' as const,
    approvalId,
    approved,
    ...(reason === undefined ? {} : { reason }),
  }));
  return content.length > 0 ? [{ role: 'tool', content }] : [];
}

/** Who goes on without an answer has refused: a call must not stay without a result. */
export function refusedBy(pending: readonly PendingApproval[]): ModelMessage[] {
  const reason = 'The user went on without approving it.';
  const content = pending.map(({ id, name }) => ({
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: name,
    output: { type: 'execution-denied' as const, reason },
  }));
  return content.length > 0 ? [{ role: 'tool', content }] : [];
}
