import { jsonSchema, type ModelMessage, type Tool as SdkTool } from 'ai';
import type { Route, Turn } from '../tools/turn.ts';
import type { CallMemory } from './call-memory.ts';
import type { WithOptions } from './fold-options.ts';
import { hooked } from './hooked.ts';
import type { Hooks } from './hooks.ts';
import { toModelOutput } from './model-output.ts';
import { lastOf, type SdkBackedTool } from './own-tools.ts';
import { readStamp, type Stamp } from './stamp.ts';
import { callAgain } from './told.ts';

const PLACEHOLDER = { type: 'object', properties: {} } as const;

/** Thrown by a tool's `execute`; its message is the answer the model gets. */
class ToolAnswer extends Error {
  /** The SDK shows the model an error as text, name and all; this one is for the model as it is. */
  override toString(): string {
    return this.message;
  }
}

export interface ToolSetInputs {
  /** Answers calls that the SDK's set has no tool for; on the wire only if a strategy declares it. */
  readonly executor: string | undefined;
  /** Adds placeholders for names that have become known since. */
  readonly extend: () => unknown;
  /** The turn that a tool runs in, from the messages that led to the call. */
  readonly turnOf: (messages: readonly ModelMessage[]) => Turn;
  readonly memory: CallMemory;
  readonly hooks: Hooks;
  readonly onExecute: WithOptions['onExecute'];
}

type ExecuteOptions = Parameters<NonNullable<SdkTool['execute']>>[1];

/** A bridge tool, or the executor, as the SDK sees it. */
export function bridgeFor(inputs: ToolSetInputs, name: string): SdkTool {
  return { inputSchema: jsonSchema(PLACEHOLDER), execute: executeAs(inputs, name) };
}

/** A deferred tool as the SDK sees it: it loads, is judged, and asks for approval, when called. */
export function placeholderFor(inputs: ToolSetInputs, name: string): SdkTool {
  const { memory } = inputs;
  return {
    inputSchema: jsonSchema(PLACEHOLDER, {
      validate: (value) => {
        const refusal = memory.takeRefusal(name, value);
        return refusal === undefined
          ? { success: true, value }
          : { success: false, error: new Error(refusal) };
      },
    }),
    needsApproval: (input, options) => asksApproval(inputs, name, input, options),
    execute: executeAs(inputs, name),
    toModelOutput: ({ output }: { output: unknown }) => toModelOutput(output),
  };
}

function executeAs(inputs: ToolSetInputs, name: string) {
  return (input: unknown, options: ExecuteOptions) => runCall(inputs, name, input, options);
}

type ApprovalOptions = Pick<ExecuteOptions, 'toolCallId' | 'messages' | 'context'>;

/** Whether the tool itself asks for approval, as far as that is known without loading it. */
async function asksApproval(
  inputs: ToolSetInputs,
  name: string,
  input: unknown,
  options: ApprovalOptions,
): Promise<boolean> {
  if (inputs.memory.isAsked({ id: options.toolCallId, name, input })) return true;
  const turn = inputs.turnOf(options.messages);
  const entry = turn.lookUp(name);
  if (!entry || !turn.isReady(entry)) return false;
  const route = await turn.decide({ id: options.toolCallId, name, input });
  return route.kind === 'run' && toolAsks(route.tool.tool, route.arguments, options);
}

async function toolAsks(
  tool: SdkBackedTool,
  input: unknown,
  options: ApprovalOptions,
): Promise<boolean> {
  const { needsApproval = false } = tool;
  return typeof needsApproval === 'function' ? needsApproval(input, options) : needsApproval;
}

const UNASKED: Route = {
  kind: 'answer',
  isError: true,
  result: {
    error: 'approval_needed',
    message: 'The tool was not run: the user has to approve it first, and has not been asked.',
    next: 'Call it again; the user will then be asked.',
  },
};

/** Judges the call once more, where it runs: policy and schema hold whatever route it came by. */
async function runCall(
  inputs: ToolSetInputs,
  name: string,
  input: unknown,
  options: ExecuteOptions,
): Promise<unknown> {
  const { abortSignal, toolCallId, messages } = options;
  const turn = inputs.turnOf(messages);
  const call = { id: toolCallId, name, input };
  const judged = await turn.decide(call, abortSignal ? { signal: abortSignal } : {});
  // The executor runs nothing: policies go by the real name, and the SDK knows it from now on.
  const isLate = name === inputs.executor && judged.kind === 'run';
  // Where the messages hold the call already, the user has been asked about it, as it was then.
  const stamp = stampIn(messages, toolCallId);
  const isUnjudged = inputs.memory.takeUnjudged(call) || stamp?.u === true;
  const known = isLate ? callAgain(judged.tool.name) : judged;
  const decided = isUnjudged ? await hooked(known, toolCallId, { turn, ...inputs }) : known;
  // Had its group been loaded, the user would have been asked before this, and about these arguments.
  const unasked =
    decided.kind === 'run' &&
    isUnjudged &&
    (stamp === undefined
      ? inputs.memory.isAsked({ id: toolCallId, name: decided.tool.name, input: decided.input }) ||
        (await toolAsks(decided.tool.tool, decided.arguments, options))
      : known.kind === 'run' && JSON.stringify(known.input) !== JSON.stringify(decided.input));
  inputs.extend();
  const route = unasked ? { ...UNASKED, target: name } : decided;
  const wireName = inputs.memory.takeWireName(toolCallId) ?? stamp?.n;
  turn.report({ ...call, name: wireName ?? name }, route);
  if (route.kind === 'answer') {
    if (route.isError) throw new ToolAnswer(JSON.stringify(route.result));
    return route.result;
  }
  const { execute } = route.tool.tool;
  if (!execute) throw new ToolAnswer(`${route.tool.name} cannot be run here. No tool was run.`);
  const run = async () =>
    lastOf(
      await execute(route.arguments, {
        ...options,
        ...(abortSignal ? { signal: abortSignal } : {}),
      }),
    );
  const hookedCall = { id: toolCallId, name: route.tool.name, arguments: route.input };
  const running = inputs.hooks.after(hookedCall, run);
  inputs.onExecute?.({ id: toolCallId, name: route.tool.name, input: route.input }, running);
  return running;
}

/** A call resumed in another process stands in the messages already, stamp and all. */
function stampIn(messages: ExecuteOptions['messages'], toolCallId: string): Stamp | undefined {
  for (const { content } of messages.toReversed()) {
    if (typeof content === 'string') continue;
    for (const part of content) {
      if (part.type === 'tool-call' && part.toolCallId === toolCallId)
        return readStamp(part.providerOptions);
    }
  }
  return;
}
