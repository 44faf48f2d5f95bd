import type { ToolRequest } from '@toolfold/core/internal/calls';
import {
  type CallRecord,
  callAgain,
  cannotRun,
  changedInput,
  errorOf,
  execute,
  type HostCall,
  inputText,
  isAsyncIterable,
  isReadable,
  KEY,
  lastOf,
  type Permit,
  type Refusal,
} from '@toolfold/core/internal/host';
import type { TranscriptCall } from '@toolfold/core/internal/transcript';
import { isRecord, ownProperty } from '@toolfold/core/internal/values';
import type { Tool as SdkTool } from 'ai';
import { bindingOf, keyOrdersOf } from '../messages/index.ts';
import { contextOf, isResumed } from './app-approval.ts';
import { isGenerator, type SdkBackedTool } from './own-tools.ts';
import type { PointOptions, SdkView } from './sdk-view.ts';

type SdkExecuteOptions = Parameters<NonNullable<SdkTool['execute']>>[1];

/** A call that may run. */
type Permitted = CallRecord & { readonly permit: Permit };

/**
 * Runs a deferred tool. For a refused call it throws a `ToolfoldError` whose string is the answer for
 * the model. A generator yields its partial results, if it has loaded before the call.
 */
export function runDeferred(
  view: SdkView,
  name: string,
  input: unknown,
  options: SdkExecuteOptions,
): unknown {
  const call = begin(view, name, input, options);
  const admitted = admit(view, call, options);
  return view.loadedTool(name)?.generate
    ? results(admitted, (record) => runLoaded(view, call, record, options, true))
    : admitted.then((record) => runLoaded(view, call, record, options, false));
}

async function runLoaded(
  view: SdkView,
  call: HostCall,
  record: Permitted,
  options: SdkExecuteOptions,
  isStream: boolean,
): Promise<unknown> {
  const { id: toolCallId, name, input } = call;
  const { tool, final } = record.permit.resolved;
  const target: SdkBackedTool | undefined = tool?.tool;
  if (!target?.execute) {
    // The SDK leaves a call to the client only if the tool had loaded when the call arrived.
    const refusal = target?.isClientSide ? callAgain(name) : cannotRun(name);
    throw refusedCall(view, call, { refusal }, record.wireName);
  }
  const { abortSignal: signal } = options;
  // The SDK has only a placeholder, so it does not validate the context of a group's tool.
  const context = await contextOf(target.name, target, options.context);
  const host = view.inputs.callHost?.({ id: toolCallId, name });
  const all = { ...options, context, ...(signal && { signal }), ...(host && { host }) };
  const converts = target.toModelOutput !== undefined;
  const output = await executed(view, call, record, { given: final, isConverted: converts }, () =>
    isStream && target.generate ? target.generate(final, all) : target.execute?.(final, all),
  );
  const keepShown = (value: unknown) =>
    keepResult(view, target, record, { toolCallId, input, output: value });
  if (isAsyncIterable(output)) return withLast(output, keepShown);
  await keepShown(output);
  return output;
}

/** Runs one of the app's own tools. */
export function runOwn(
  view: SdkView,
  tool: SdkTool,
  name: string,
  input: unknown,
  options: SdkExecuteOptions,
): unknown {
  const call = begin(view, name, input, options, bindingOf(tool));
  const run = (record: Permitted) => {
    const { resolved, text } = record.permit;
    // If the input is unchanged, pass the same object: a schema may have created an instance of a class.
    const given = record.expected === text ? input : resolved.final;
    const isConverted = tool.toModelOutput !== undefined;
    const output = executed(view, call, record, { given, isConverted }, () =>
      tool.execute?.(given, options),
    );
    return keepsOrder(view) ? keepOwnResult(output, record) : output;
  };
  const ready = view.life.ready(call);
  if (ready) return run(ready as Permitted);
  const admitted = admit(view, call, options);
  return isGenerator(tool.execute)
    ? results(admitted, run)
    : admitted.then(async (record) => lastOf(await run(record)));
}

/** Runs a bridge tool. */
export async function runBridge(
  view: SdkView,
  name: string,
  input: unknown,
  options: SdkExecuteOptions,
): Promise<unknown> {
  const { abortSignal: signal, toolCallId: id } = options;
  const record = view.life.records.take({ id, name }, undefined, inputText(input));
  if (record?.refused) throw errorOf(record.refused.refusal);
  // The bridge may show only tools that were offered in the step of the call.
  const turn = record?.turn ?? view.inputs.bridgeTurnOf(options.messages ?? []);
  const answer = await answerBridge(
    view,
    turn,
    { id, name, input },
    record?.wireName ?? name,
    signal,
  );
  if (answer.isError) throw errorOf(answer);
  const { result: output } = answer;
  if (record) await keepResult(view, undefined, record, { toolCallId: id, input, output });
  return output;
}

/** The answer of a bridge tool to a call in this turn. Rejects only with the signal's reason. */
export async function answerBridge(
  view: SdkView,
  turn: ToolRequest,
  call: TranscriptCall,
  wireName: string,
  signal: AbortSignal | undefined,
): Promise<Refusal> {
  const found = await turn.decide(call, signal ? { signal } : {});
  view.extend();
  // A bridge never runs a real tool: the model has to call the tool by its own name.
  const answer = found.kind === 'run' ? callAgain(found.tool.name) : found;
  turn.report({ ...call, name: wireName }, answer);
  if (answer.isError) view.warnOf(answer);
  return answer;
}

/** The `needsApproval` of a tool, for the AI SDK. */
export async function needsApproval(
  view: SdkView,
  name: string,
  input: unknown,
  options: PointOptions,
): Promise<boolean> {
  const call = view.call(name, input, options);
  const approval = await view.life.approve(call, view.setting(options), true);
  // If Toolfold does not run the tool, it cannot refuse the call: only a question stops a denied call.
  return approval.type === 'user-approval' || (approval.type === 'denied' && !call.isRunHere);
}

/** A call that reached its tool. Code that runs tools without the SDK passes no messages. */
function begin(
  view: SdkView,
  name: string,
  input: unknown,
  options: PointOptions,
  binding?: string,
): HostCall {
  const call = view.call(name, input, options, { binding });
  const { messages = [], toolCallId } = options;
  if (call.approval || messages.length === 0) return call;
  if (isResumed(messages, toolCallId)) view.warnings.warnOfSpentApproval(name);
  else view.warnings.check(name, toolCallId);
  return call;
}

async function admit(
  view: SdkView,
  call: HostCall,
  options: SdkExecuteOptions,
): Promise<Permitted> {
  const record = await view.life.admit(call, view.setting(options));
  view.extend();
  const { refused } = record;
  if (!refused) return record as Permitted;
  if (refused.isUnasked && !isResumed(options.messages ?? [], call.id))
    view.warnings.warnOfUnaskedCall(errorOf(refused.refusal).message);
  throw refusedCall(view, call, refused, record.wireName);
}

/** Reports a call that does not run. Returns the error for the model. */
function refusedCall(
  view: SdkView,
  { id, name }: HostCall,
  { refusal, isReported }: { readonly refusal: Refusal; readonly isReported?: boolean },
  wireName: string | undefined,
): Error {
  if (!isReported) {
    view.life.report({ id, name, wireName }, refusal);
    view.warnOf(refusal);
  }
  return errorOf(refusal);
}

/** Runs a permitted call. `given`: what the tool gets. `isConverted`: see `ExecuteOptions`. */
function executed(
  view: SdkView,
  { id, name, signal }: HostCall,
  { permit, wireName }: Permitted,
  { given, isConverted }: { readonly given: unknown; readonly isConverted: boolean },
  run: () => unknown,
): unknown {
  const { observers, onExecute, runWith, hide } = view.inputs;
  const { final, repairs } = permit.resolved;
  const repaired = repairs ? { repairs } : {};
  view.onCall({ id, name, wireName: wireName ?? name, outcome: 'run', ...repaired });
  return execute({ id, name, input: given, ...repaired }, run, {
    hooks: view.hooks,
    observers,
    onExecute,
    runWith,
    signal,
    isConverted,
    hide,
    check: () => {
      signal?.throwIfAborted();
      // What cannot be read cannot be compared.
      const isSame = isReadable(permit.text) ? inputText(given) === permit.text : given === final;
      if (!isSame) throw errorOf(changedInput(name));
    },
  });
}

async function* results(
  admitted: Promise<Permitted>,
  run: (record: Permitted) => unknown,
): AsyncGenerator<unknown> {
  const output = await run(await admitted);
  if (isAsyncIterable(output)) yield* output;
  else yield output;
}

/** Whether results keep the order of their keys. A host with a journal has them as they were. */
function keepsOrder({ inputs }: SdkView): boolean {
  return inputs.runWith === undefined;
}

/**
 * Stores in the metadata of a result what messages do not keep by themselves: the output of
 * `toModelOutput`, because another process may not have the tool, and the order of keys (`keepsOrder`).
 */
async function keepResult(
  view: SdkView,
  tool: SdkBackedTool | undefined,
  { metadata }: Pick<CallRecord, 'metadata'>,
  result: { readonly toolCallId: string; readonly input: unknown; readonly output: unknown },
): Promise<void> {
  const stamp = ownProperty(metadata, KEY);
  if (!isRecord(stamp)) return;
  const keep = (value: unknown) => {
    if (keepsOrder(view)) keepOrder(stamp, value);
  };
  if (!tool?.toModelOutput) return keep(result.output);
  stamp.m = await view.modelOutput(tool.name, () => tool.toModelOutput?.(result));
  keep(ownProperty(stamp.m, 'value'));
}

/** `keepResult` for a tool of the app, whose output the SDK converts. Keeps a synchronous result synchronous. */
function keepOwnResult(output: unknown, { metadata }: Pick<CallRecord, 'metadata'>): unknown {
  const stamp = ownProperty(metadata, KEY);
  if (!isRecord(stamp)) return output;
  const kept = (value: unknown) => {
    if (isAsyncIterable(value)) return withLast(value, async (last) => keepOrder(stamp, last));
    keepOrder(stamp, value);
    return value;
  };
  return output instanceof Promise ? output.then(kept) : kept(output);
}

/** Only calls that a model wrote, and Toolfold stamped, are restored. */
function keepOrder(stamp: Record<string, unknown>, value: unknown): void {
  const orders = typeof stamp.n === 'string' ? keyOrdersOf(value) : undefined;
  if (orders) stamp.q = orders;
}

/** Yields the partial results, then calls `onLast` with the last one. */
async function* withLast(
  output: AsyncIterable<unknown>,
  onLast: (last: unknown) => Promise<void>,
): AsyncGenerator<unknown> {
  let last: unknown;
  for await (const value of output) {
    last = value;
    yield value;
  }
  await onLast(last);
}
