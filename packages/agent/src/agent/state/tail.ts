import { mcpOutput, plainOutput } from '@toolfold/ai-sdk/internal/results';
import { readStamp } from '@toolfold/core/internal/host';
import { pick } from '@toolfold/core/internal/tools/values';
import type { ModelMessage, ToolModelMessage } from 'ai';
import type { AnswerParts, Content, Kinds, ResultPart, RunOutcome } from '../entries/index.ts';
import type { ApprovalAnswer } from '../events/index.ts';
import { type OpenCall, openCalls } from './history.ts';
import { partsOf } from './message-parts.ts';

/** What is known of the calls that are open at the end of a conversation. */
export interface OpenPart {
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
export interface Tail {
  /** The answer, with its requests for approvals, and the results of calls that need none. */
  readonly before: readonly ModelMessage[];
  /** The answers to all approvals. Empty while one is missing. */
  readonly responses: readonly ModelMessage[];
  /** The results of calls that the user was asked about. */
  readonly after: readonly ModelMessage[];
}

export const NO_TAIL: Tail = { before: [], responses: [], after: [] };

/** The messages that follow from the last answer, approvals and results, in the order of the AI SDK. */
export function tailOf({ messages, answer, outcomes, asked }: OpenPart): Tail {
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
