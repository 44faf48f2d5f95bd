import type { ModelMessage } from 'ai';
import { type Answer, inputText, readBinding, readStamp } from '../../host/index.ts';

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;
type CallPart = {
  readonly toolName: string;
  readonly input: unknown;
  readonly providerOptions?: Record<string, unknown>;
};

/**
 * The user's approval that the AI SDK is executing with these messages: the messages end with it, and
 * the call of this id, name and input has no result yet. The app is responsible for the authenticity
 * of the approval (`experimental_toolApprovalSecret`).
 */
export function answerIn(
  messages: readonly ModelMessage[],
  id: string,
  name: string,
  input: unknown,
): Answer | undefined {
  const last = messages.at(-1);
  if (last?.role !== 'tool') return;
  const approved = approvedIn(last);
  const hasResult = last.content.some(
    (part) => part.type === 'tool-result' && part.toolCallId === id,
  );
  if (approved.size === 0 || hasResult || !isAsked(messages, id, approved)) return;
  const call = callIn(messages, id);
  if (call?.toolName !== name || inputText(call.input) !== inputText(input)) return;
  const { providerOptions } = call;
  return { ...readBinding(providerOptions), wireName: readStamp(providerOptions)?.n };
}

function approvedIn({ content }: ToolMessage): ReadonlySet<string> {
  return new Set(
    content.flatMap((part) =>
      part.type === 'tool-approval-response' && part.approved ? part.approvalId : [],
    ),
  );
}

/** Whether the user was asked about the call under one of these approval ids. Automatic requests do not count. */
function isAsked(messages: readonly ModelMessage[], id: string, ids: ReadonlySet<string>): boolean {
  return messages.some(
    ({ role, content }) =>
      role === 'assistant' &&
      typeof content !== 'string' &&
      content.some(
        (part) =>
          part.type === 'tool-approval-request' &&
          part.toolCallId === id &&
          part.isAutomatic !== true &&
          ids.has(part.approvalId),
      ),
  );
}

/** The latest call with this id. Endpoints may use the same ids again in each response. */
function callIn(messages: readonly ModelMessage[], id: string): CallPart | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (message?.role !== 'assistant' || typeof message.content === 'string') continue;
    const call = message.content.findLast(
      (part) => part.type === 'tool-call' && part.toolCallId === id,
    );
    if (call?.type === 'tool-call') return call;
  }
  return;
}
