import { asSchema, type ModelMessage, type Tool as SdkTool, type ToolSet } from 'ai';
import { ToolfoldError } from '../../errors.ts';
import type { Approval } from '../../host/index.ts';
import { ownProperty } from '../../tools/values/index.ts';

type Status =
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
 * by tool name. It overrides `needsApproval` of the tools, but never a hook.
 */
export type AppApproval =
  // biome-ignore lint/suspicious/noConfusingVoidType: as in the AI SDK, no return value means no setting.
  | ((question: never) => Status | void | PromiseLike<Status | void>)
  | {
      readonly [name: string]:
        | Status
        | ((input: never, options: never) => Status | PromiseLike<Status>);
    };

/** The app's setting for a call; undefined if it has none for the tool. */
export async function appApproval(
  setting: AppApproval | undefined,
  question: AppApprovalQuestion,
): Promise<Approval | undefined> {
  if (setting === undefined) return;
  if (typeof setting === 'function') return normal((await setting(question as never)) ?? undefined);
  const { toolName, toolCallId, input } = question.toolCall;
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

function normal(status: Status): Approval {
  if (status === undefined) return { type: 'not-applicable' };
  return (typeof status === 'string' ? { type: status } : status) as Approval;
}
