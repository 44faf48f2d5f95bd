import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import {
  type Approval,
  kindOf,
  readBinding,
  readStamp,
  type UserApproval,
} from '@toolfold/core/internal/host';
import { oneLine, ownProperty } from '@toolfold/core/internal/values';
import { asSchema, type ModelMessage, type Tool as SdkTool, type ToolSet } from 'ai';

type ApprovalStatus =
  | undefined
  | Approval['type']
  | { readonly type: Approval['type']; readonly reason?: string | undefined };

/** A call as the AI SDK passes it to `toolApproval`. */
export interface ApprovalQuestion {
  readonly toolCall: {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly input: unknown;
    readonly providerMetadata?: object | undefined;
    readonly providerExecuted?: boolean | undefined;
  };
  readonly tools: ToolSet | undefined;
  readonly toolsContext: unknown;
  readonly runtimeContext: unknown;
  readonly messages: ModelMessage[];
}

/** The argument of the app's function: the AI SDK's question, and a function that evaluates the tool's `needsApproval`. */
export interface AppApprovalQuestion extends ApprovalQuestion {
  readonly needsApproval: () => Promise<boolean>;
}

interface OneToolOptions {
  readonly toolCallId: string;
  readonly messages: ModelMessage[];
  readonly toolContext: unknown;
  readonly runtimeContext: unknown;
}

/**
 * The app's `toolApproval`, in the form of the AI SDK: a function for all calls, or a status or function
 * by tool name. It overrides `needsApproval` of the tools, but never a hook. `NAME`: the names that it may have.
 */
export type AppApproval<NAME extends string = string> =
  // biome-ignore lint/suspicious/noConfusingVoidType: as in the AI SDK, no return value means no setting.
  | ((question: never) => ApprovalStatus | void | PromiseLike<ApprovalStatus | void>)
  | {
      readonly [KEY in NAME]?:
        | ApprovalStatus
        | ((input: never, options: never) => ApprovalStatus | PromiseLike<ApprovalStatus>);
    };

/**
 * The app's setting for a call; undefined if it has none for the tool. An answer that the SDK does not know denies
 * the call, with a warning. Null throws, as in the SDK.
 */
export async function appApproval(
  setting: AppApproval | undefined,
  question: AppApprovalQuestion,
  warn: (text: string) => void,
): Promise<Approval | undefined> {
  if (setting === undefined) return;
  const { toolName, toolCallId, input } = question.toolCall;
  const normal = (status: unknown) => readStatus(status, toolName, warn);
  if (typeof setting === 'function') return normal(await setting(question as never));
  const status = ownProperty(setting, toolName) as (typeof setting)[string];
  if (status === undefined || status === null) return;
  if (typeof status !== 'function') return normal(status);
  const { messages, runtimeContext, tools, toolsContext } = question;
  const tool = ownProperty(tools, toolName) as SdkTool | undefined;
  const toolContext = await contextOf(toolName, tool, ownProperty(toolsContext, toolName));
  const options: OneToolOptions = { toolCallId, messages, toolContext, runtimeContext };
  return normal(await status(input as never, options as never));
}

/** The context of a tool, validated by its `contextSchema`. Throws `invalid-option` if it is not valid. */
export async function contextOf(
  name: string,
  tool: Pick<SdkTool, 'contextSchema'> | undefined,
  context: unknown,
): Promise<unknown> {
  const schema = tool?.contextSchema;
  const checked = schema && (await asSchema(schema).validate?.(context));
  if (!checked) return context;
  if (checked.success) return checked.value;
  throw new ToolfoldError(
    'invalid-option',
    `The context of the tool "${name}" does not match its contextSchema.`,
    'Pass a valid context for this tool in `toolsContext`.',
    checked.error,
  );
}

const TYPES: readonly string[] = [
  'not-applicable',
  'approved',
  'denied',
  'user-approval',
] satisfies readonly Approval['type'][];

function readStatus(status: unknown, tool: string, warn: (text: string) => void): Approval {
  if (status === undefined) return { type: 'not-applicable' };
  if (status === null)
    throw new ToolfoldError(
      'invalid-option',
      `\`toolApproval\` returned null for the tool "${tool}".`,
      `Return undefined, or one of ${TYPES.join(', ')}.`,
    );
  const type: unknown = typeof status === 'object' ? ownProperty(status, 'type') : status;
  if (typeof type === 'string' && TYPES.includes(type)) {
    const reason = ownProperty(status, 'reason');
    return { type, ...(typeof reason === 'string' ? { reason } : {}) } as Approval;
  }
  // It may be a denial that is spelt in another way.
  const answer = typeof type === 'string' ? `"${oneLine(type, 80)}"` : kindOf(type ?? status);
  warn(
    `\`toolApproval\` answered ${answer} for the tool "${tool}", which the AI SDK does not know: the call was denied. Return undefined, or one of ${TYPES.join(', ')}, or an object with one of these as \`type\`.`,
  );
  return { type: 'denied', reason: ODD_ANSWER };
}

const ODD_ANSWER =
  'This application gave an answer about the call that is none. Its developer must mend it.';

type PartOfType<TYPE extends string> = Extract<
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
  const request = collected(messages, id);
  if (!request || request.isAutomatic === true) return;
  const { call, beside } = openCall(messages, id);
  if (!call || call.toolName !== name || call.providerExecuted === true) return;
  // The question of another answer, whose call had the same id, is not about this call.
  if (!beside.includes(request)) return;
  if (!Object.is(call.input, input)) return;
  const { providerOptions } = call;
  return { ...readBinding(providerOptions), wireName: readStamp(providerOptions)?.n };
}

/** Whether the AI SDK resumes the call, because the messages end with an approval, valid or not. */
export function isResumed(messages: readonly ModelMessage[], id: string): boolean {
  return collected(messages, id) !== undefined;
}

interface UnansweredCall {
  readonly call: PartOfType<'tool-call'> | undefined;
  /** The parts of its message. */
  readonly beside: readonly object[];
}

const NONE: UnansweredCall = { call: undefined, beside: [] };

/** The latest call with this id, if it has no result. Messages of other origin may repeat an id. */
function openCall(messages: readonly ModelMessage[], id: string): UnansweredCall {
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
  id: string,
): PartOfType<'tool-approval-request'> | undefined {
  const last = messages.at(-1);
  if (last?.role !== 'tool') return;
  const responses = last.content.filter((part) => part.type === 'tool-approval-response');
  if (responses.length === 0) return;
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
