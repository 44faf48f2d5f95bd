import { askerOf } from '@toolfold/core/internal/host';
import { ownProperty, pick } from '@toolfold/core/internal/tools/values';
import type { ModelMessage, TextStreamPart, ToolApprovalRequest, ToolSet } from 'ai';
import { askedAgain, definitionIn } from '../approvals/index.ts';
import type { Kinds, Write } from '../entries/index.ts';
import {
  type ApprovalAnswer,
  type AskedBy,
  type DecisionSource,
  readAskedBy,
} from '../events/index.ts';
import type { AgentFold } from '../options/index.ts';
import { type Binding, partsOf } from '../state/index.ts';

type RequestPart = Extract<TextStreamPart<ToolSet>, { type: 'tool-approval-request' }>;
type Layer = AgentFold['layer'];

/** A question about a call, as its entry holds it. */
export type Question = Kinds['approval'];

/** The question of a request for approval in the stream of the AI SDK. `messages`: with that request. */
export function questionOf(
  { approvalId, reason, toolCall }: RequestPart,
  messages: readonly ModelMessage[],
): Question {
  const { toolCallId: id, toolName: name, input } = toolCall;
  const requests = partsOf(messages).filter((part) => part.type === 'tool-approval-request');
  const asked = requests.findLast((one) => one.approvalId === approvalId);
  const request = asked ? requestOf(asked) : {};
  const { providerMetadata } = toolCall;
  const options = providerMetadata ? { providerOptions: providerMetadata } : {};
  return {
    ...{ approvalId, id, name, arguments: input },
    ...(reason === undefined ? {} : { reason }),
    ...askedByOf(toolCall),
    call: { toolName: name, ...options },
    ...(Object.keys(request).length > 0 ? { request } : {}),
  };
}

/** What the SDK keeps of a request beside its ids. */
function requestOf({
  type: _,
  approvalId: __,
  toolCallId: ___,
  isAutomatic: ____,
  ...request
}: ToolApprovalRequest): Readonly<Record<string, unknown>> {
  return request;
}

/** Who requires the approval of a call. Hooks do not see calls that the provider runs. */
function askedByOf({ providerExecuted, providerMetadata }: RequestPart['toolCall']): AskedBy {
  const asker = providerExecuted ? { by: 'setting' } : askerOf(providerMetadata);
  return readAskedBy({ askedBy: asker.by, askKey: ownProperty(asker, 'key') });
}

/** The entry of a question, with the tool as the user sees it. */
export function entryOf(layer: Layer, question: Question): Write {
  const { definition: _, ...asked } = question;
  const definition = definitionIn(layer, question.name);
  return ['approval', { ...asked, ...(definition === undefined ? {} : { definition }) }];
}

/** The question again, because the tool or its arguments have changed: the call is bound to the present tool. */
export function questionAgain(
  question: Question,
  { input, ...call }: Binding,
  layer: Layer,
): Question {
  return { ...question, ...askedAgain(question, input, layer), ...call };
}

/** The entry of an answer. */
export function answerOf(
  layer: Layer,
  { approvalId, id, name, ...asked }: Question,
  { approved, scope, reason, tools }: ApprovalAnswer,
  source: DecisionSource,
): Write {
  const fingerprint = layer.fingerprintOf(name);
  return [
    'answer',
    {
      ...{ approvalId, id, name, approved },
      ...readAskedBy(asked),
      ...pick({ scope, reason, fingerprint, tools }, 'scope', 'reason', 'fingerprint', 'tools'),
      source,
    },
  ];
}
