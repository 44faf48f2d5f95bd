import { isNotePart, mcpOutput, plainOutput } from '@toolfold/ai-sdk/internal/messages';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { readStamp } from '@toolfold/core/internal/host';
import { pick } from '@toolfold/core/internal/values';
import type { ModelMessage, ToolApprovalRequest, ToolCallPart, ToolModelMessage } from 'ai';
import type { AnswerParts, Content, Kinds, ResultPart, RunOutcome } from '../entries/index.ts';
import { type ApprovalAnswer, type PendingApproval, readAskedBy } from '../events/index.ts';
import { interruptedText, partsOf, textOf } from './messages.ts';

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

/** What is known of the calls that are open at the end of a conversation. */
interface OpenPart {
  /** The last messages, from where the first open call may stand. */
  readonly messages: readonly ModelMessage[];
  /** The content of the last answer, unless it is among the messages. */
  readonly answer: AnswerParts | undefined;
  readonly outcomes: (id: string) => RunOutcome | undefined;
  readonly asked: readonly {
    readonly question: Kinds['approval'];
    readonly answer?: ApprovalAnswer;
  }[];
}

/** The messages that follow from the open part, in three steps. */
export interface HistoryTail {
  /** The answer, with its requests for approvals, and the results of calls that need none. */
  readonly before: readonly ModelMessage[];
  /** The answers to all approvals. Empty while one is missing. */
  readonly responses: readonly ModelMessage[];
  /** The results of calls that the user was asked about. */
  readonly after: readonly ModelMessage[];
}

export const NO_TAIL: HistoryTail = { before: [], responses: [], after: [] };

/** The messages that follow from the last answer, approvals and results, in the order of the AI SDK. */
export function tailOf({ messages, answer, outcomes, asked }: OpenPart): HistoryTail {
  const message: ModelMessage[] = answer ? [{ role: 'assistant', content: answer }] : [];
  const open = openCalls([...messages, ...message]);
  if (!answer && open.length === 0) return NO_TAIL;
  const ids = new Set(open.map(({ id }) => id));
  const questions = asked.filter(({ question }) => ids.has(question.id));
  const isAsked = new Set(questions.map(({ question }) => question.id));
  const results = (areAsked: boolean) =>
    open.flatMap((call) => {
      const outcome = isAsked.has(call.id) === areAsked ? outcomes(call.id) : undefined;
      return outcome ? [resultOf(call, outcome)] : [];
    });
  const written = partsOf(messages).filter((part) => part.type === 'tool-approval-response');
  const due = questions.filter(
    ({ question }) => !written.some(({ approvalId }) => approvalId === question.approvalId),
  );
  const given = due.flatMap(({ question: { approvalId }, answer }) =>
    answer
      ? {
          type: 'tool-approval-response' as const,
          approvalId,
          ...pick(answer, 'approved', 'reason'),
        }
      : [],
  );
  return {
    before: [
      ...(answer ? [{ role: 'assistant' as const, content: withRequests(answer, questions) }] : []),
      ...toolMessage(results(false)),
    ],
    responses: given.length === due.length ? toolMessage(given) : [],
    after: toolMessage(results(true)),
  };
}

/** The content with the requests for approvals, each behind its call. */
function withRequests(content: AnswerParts, asked: OpenPart['asked']): AnswerParts {
  if (asked.length === 0) return content;
  return content.flatMap((part): Content[] => {
    const one =
      part.type === 'tool-call'
        ? asked.find(({ question }) => question.id === part.toolCallId)
        : undefined;
    if (!one) return [part];
    const { approvalId, id: toolCallId, request } = one.question;
    return [part, { type: 'tool-approval-request', approvalId, toolCallId, ...request }];
  });
}

function toolMessage(content: ToolModelMessage['content']): ModelMessage[] {
  return content.length > 0 ? [{ role: 'tool', content }] : [];
}

function resultOf({ id, name, options }: OpenCall, outcome: RunOutcome): ResultPart {
  const output = outputOf(outcome, readStamp(options)?.f === 'mcp');
  const given = options && outcome.denied === undefined ? { providerOptions: options } : {};
  return { type: 'tool-result', toolCallId: id, toolName: name, output, ...given };
}

/** The output that the model gets. */
export function outputOf(
  { output, error, thrown, denied, shown }: RunOutcome,
  isMcp: boolean,
): ResultPart['output'] {
  if (shown) return shown;
  if (denied !== undefined)
    return { type: 'execution-denied', ...(denied === null ? {} : { reason: denied }) };
  if (error === undefined && thrown === undefined)
    return isMcp ? mcpOutput(output) : plainOutput(output);
  return { type: 'error-text', value: thrown ?? error ?? '' };
}
