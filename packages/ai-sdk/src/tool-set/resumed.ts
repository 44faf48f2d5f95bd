import { readBinding, readStamp, type UserApproval } from '@toolfold/core/internal/host';
import type { ModelMessage } from 'ai';

type Part<TYPE extends string> = Extract<
  Exclude<ModelMessage['content'], string>[number],
  { type: TYPE }
>;

/**
 * The user's approval of a call that the AI SDK resumes: the messages end with it. The proof is the input,
 * which is the very object of the message part that was approved. A call of the model is never that
 * object, even if it has the same id, name and input. The app is responsible for the authenticity of the
 * messages (`experimental_toolApprovalSecret`).
 */
export function approvalIn(
  messages: readonly ModelMessage[],
  id: string,
  name: string,
  input: unknown,
): UserApproval | undefined {
  const last = messages.at(-1);
  if (last?.role !== 'tool') return;
  const responses = last.content.filter((part) => part.type === 'tool-approval-response');
  if (responses.length === 0) return;
  const request = collected(messages, responses, id);
  if (!request || request.isAutomatic === true) return;
  const { call, beside } = openCall(messages, id);
  if (!call || call.toolName !== name || call.providerExecuted === true) return;
  // The question of another answer, whose call had the same id, is not about this call.
  if (!beside.includes(request)) return;
  if (!Object.is(call.input, input)) return;
  const { providerOptions } = call;
  return { ...readBinding(providerOptions), wireName: readStamp(providerOptions)?.n };
}

interface OpenCall {
  readonly call: Part<'tool-call'> | undefined;
  /** The parts of its message. */
  readonly beside: readonly object[];
}

const NONE: OpenCall = { call: undefined, beside: [] };

/** The latest call with this id, if it has no result. Messages of other origin may repeat an id. */
function openCall(messages: readonly ModelMessage[], id: string): OpenCall {
  for (const { content } of messages.toReversed()) {
    for (const part of typeof content === 'string' ? [] : content.toReversed()) {
      if (part.type === 'tool-result' && part.toolCallId === id) return NONE;
      if (part.type === 'tool-call' && part.toolCallId === id)
        return { call: part, beside: content as readonly object[] };
    }
  }
  return NONE;
}

/** The request of an approved call, if the SDK collects it: of several responses for a call, the first counts. */
function collected(
  messages: readonly ModelMessage[],
  responses: readonly Part<'tool-approval-response'>[],
  id: string,
): Part<'tool-approval-request'> | undefined {
  const requests = messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string'
      ? content.filter((part) => part.type === 'tool-approval-request')
      : [],
  );
  for (const { approvalId, approved } of responses) {
    const request = requests.findLast((part) => part.approvalId === approvalId);
    if (request?.toolCallId === id) return approved ? request : undefined;
  }
  return;
}
