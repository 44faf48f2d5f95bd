import { jsonSchema, type Tool as SdkTool, type ToolSet } from 'ai';
import { isRecord } from '../tools/json.ts';
import type { Turn } from '../tools/turn.ts';
import { toModelOutput } from './model-output.ts';
import type { Verdicts } from './verdicts.ts';

const PLACEHOLDER = { type: 'object', properties: {} } as const;

/** Thrown by a tool's `execute`; its message is the answer the model gets. */
class ToolAnswer extends Error {
  /** The SDK shows the model an error as text, name and all; this one is for the model as it is. */
  override toString(): string {
    return this.message;
  }
}

export interface ToolSetInputs {
  /** Names of deferred tools in the view, each of which becomes a placeholder. */
  readonly placeholders: readonly string[];
  /** Names of bridge tools that run operations. */
  readonly bridges: readonly string[];
  /** Runs tools that the SDK's set has none for; on the wire only if a strategy declares it. */
  readonly executor: string;
  /** The turn that a tool runs in, from the messages that led to the call. */
  readonly turnOf: (messages: readonly unknown[]) => Turn;
  readonly verdicts: Verdicts;
}

type ExecuteOptions = Parameters<NonNullable<SdkTool['execute']>>[1];

/** Placeholders, bridge tools and the executor, for the SDK's own tool set. */
export function toolSetFor(inputs: ToolSetInputs): ToolSet {
  const bridge = (name: string): SdkTool => ({
    inputSchema: jsonSchema(PLACEHOLDER),
    execute: (input: unknown, options: ExecuteOptions) => runCall(inputs, name, input, options),
  });
  const placeholder = (name: string): SdkTool => ({
    inputSchema: jsonSchema(PLACEHOLDER, { validate: (value) => judge(inputs.verdicts, name, value) }),
    execute: (input: unknown, options: ExecuteOptions) => runCall(inputs, name, input, options),
    toModelOutput: ({ output }: { output: unknown }) => toModelOutput(output),
  });
  const entries = [
    ...inputs.placeholders.map((name) => [name, placeholder(name)] as const),
    ...inputs.bridges.map((name) => [name, bridge(name)] as const),
    [inputs.executor, { ...placeholder(inputs.executor), inputSchema: jsonSchema(PLACEHOLDER) }] as const,
  ];
  return Object.fromEntries(entries) as ToolSet;
}

function judge(verdicts: Verdicts, name: string, value: unknown) {
  const refusal = verdicts.take(name, value);
  return refusal === undefined
    ? { success: true as const, value }
    : { success: false as const, error: new Error(refusal) };
}

/** Judges the call once more, where it runs: policy and schema hold whatever route it came by. */
async function runCall(inputs: ToolSetInputs, name: string, input: unknown, options: ExecuteOptions): Promise<unknown> {
  const { abortSignal, toolCallId, messages } = options;
  const turn = inputs.turnOf(messages);
  const call = { id: toolCallId, name, input };
  const route = await turn.route(call, abortSignal ? { signal: abortSignal } : {});
  if (route.kind === 'answer') {
    if (route.isError) throw new ToolAnswer(JSON.stringify(route.result));
    return route.result;
  }
  const { execute } = route.tool.tool;
  if (!execute) throw new ToolAnswer(`${route.tool.name} cannot be run here. No tool was run.`);
  return drain(await execute(route.arguments, { ...options, ...(abortSignal ? { signal: abortSignal } : {}) }));
}

/** A tool that yields results as it goes: the last one counts. */
async function drain(output: unknown): Promise<unknown> {
  if (!isRecord(output) || typeof (output as { [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator] !== 'function') {
    return output;
  }
  let last: unknown;
  for await (const value of output as unknown as AsyncIterable<unknown>) last = value;
  return last;
}
